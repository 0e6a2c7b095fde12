import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { readinessOf } from '#core/messaging/readiness.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleAutomation, exampleReadiness } from '../../automations/examples.js';
import { checkReadiness } from '../../automations/readiness/check.js';
import { AutomationWithReadiness, automationStatus } from '../../automations/resources.js';
import { presentAutomation } from '../../automations/store.js';
import { automations } from '../../tables/automation.js';

export default defineOperation({
  name: 'email.automation.list',
  summary: 'Lists automations, newest first.',
  keywords: 'workflows journeys flows',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  input: object({ ...page, status: optional(automationStatus) }),
  output: object({ automations: list(AutomationWithReadiness, 'The automations.'), nextBefore }),
  example: {
    input: { status: 'active' },
    output: { automations: [{ ...exampleAutomation, readiness: exampleReadiness }], nextBefore: null },
  },

  async handle({ before, limit, status }, context) {
    const { db, caller } = context;
    const environment = idBytes(caller.environment.id);
    const query = db
      .select(automations, 'automation')
      .where('automation.environment_id = :environment', { environment });
    if (status !== undefined) query.andWhere('automation.status = :status', { status: Buffer.from(status) });
    const { rows, next } = await paged(query, 'automation', 'environment', { before, limit });
    const readiness = await checkReadiness(context, caller.environment, rows);
    return {
      automations: rows.map((row) => ({
        ...presentAutomation(row),
        readiness: readiness.get(row.id) ?? readinessOf([]),
      })),
      nextBefore: next,
    };
  },
});
