import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleBroadcast } from '../../broadcasts/examples.js';
import { presentBroadcasts } from '../../broadcasts/present.js';
import { Broadcast, broadcastStatus } from '../../broadcasts/resources.js';
import { broadcasts } from '../../tables/broadcast.js';

export default defineOperation({
  name: 'email.broadcast.list',
  summary: 'List broadcasts, newest first.',
  keywords: 'newsletters campaigns mailings all',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  input: object({ ...page, status: optional(broadcastStatus) }),
  output: object({ broadcasts: list(Broadcast), nextBefore }),
  example: { input: { status: 'draft' }, output: { broadcasts: [exampleBroadcast], nextBefore: null } },

  async handle({ before, limit, status }, { db, caller }) {
    const query = db
      .select(broadcasts, 'broadcast')
      .where('broadcast.environment_id = :environment', { environment: idBytes(caller.environment.id) });
    if (status !== undefined) query.andWhere('broadcast.status = :status', { status: Buffer.from(status) });
    const { rows, next } = await paged(query, 'broadcast', { before, limit });
    return { broadcasts: await presentBroadcasts(db, rows), nextBefore: next };
  },
});
