import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { broadcastStatus } from '#core/messaging/broadcasts/resources.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleBroadcast } from '../../broadcasts/examples.js';
import { smsPresenter } from '../../broadcasts/present.js';
import { SmsBroadcast } from '../../broadcasts/resources.js';
import { broadcasts } from '../../tables/broadcast.js';

export default defineOperation({
  name: 'sms.broadcast.list',
  summary: 'List broadcasts of texts, newest first.',
  keywords: 'campaigns all',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  input: object({ ...page, status: optional(broadcastStatus) }),
  output: object({ broadcasts: list(SmsBroadcast), nextBefore }),
  example: { input: { status: 'draft' }, output: { broadcasts: [exampleBroadcast], nextBefore: null } },

  async handle({ before, limit, status }, { db, caller }) {
    const query = db
      .select(broadcasts, 'broadcast')
      .where('broadcast.environment_id = :environment', { environment: idBytes(caller.environment.id) });
    if (status !== undefined) query.andWhere('broadcast.status = :status', { status: Buffer.from(status) });
    const { rows, next } = await paged(query, 'broadcast', { before, limit });
    return { broadcasts: await smsPresenter.many(db, rows), nextBefore: next };
  },
});
