import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { presentNumber } from '../../numbers/present.js';
import { exampleNumber, PhoneNumber } from '../../numbers/resources.js';
import { loadSettings } from '../../settings/load.js';
import { numbers } from '../../tables/number.js';

export default defineOperation({
  name: 'sms.number.list',
  summary: 'Lists the environment’s phone numbers.',
  description: 'Newest first. Released numbers are not listed. Test environments have no numbers.',
  keywords: 'phone sender default',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object(page),
  output: object({ numbers: list(PhoneNumber), nextBefore }),
  example: { input: {}, output: { numbers: [exampleNumber], nextBefore: null } },

  async handle({ before, limit }, { db, caller }) {
    const environmentId = caller.environment.id;
    const query = db
      .select(numbers, 'number')
      .where('number.environment_id = :environment', { environment: idBytes(environmentId) })
      .andWhere("number.status = 'assigned'");
    const { rows, next } = await paged(query, 'number', 'environment', { before, limit });
    const { defaultNumberId } = await loadSettings(db, environmentId);
    return { numbers: rows.map((row) => presentNumber(row, defaultNumberId)), nextBefore: next };
  },
});
