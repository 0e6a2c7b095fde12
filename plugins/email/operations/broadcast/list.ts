import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { listBroadcasts } from '#core/messaging/broadcasts/list.js';
import { exampleBroadcast } from '../../broadcasts/examples.js';
import { broadcastPresenterOfEmail } from '../../broadcasts/present.js';
import { Broadcast, broadcastStatus } from '../../broadcasts/resources.js';
import { broadcastTables } from '../../tables/broadcast.js';

export default defineOperation({
  name: 'email.broadcast.list',
  summary: 'Lists broadcasts, newest first.',
  keywords: 'newsletters campaigns mailings all',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  input: object({ ...page, status: optional(broadcastStatus) }),
  output: object({ broadcasts: list(Broadcast), nextBefore }),
  example: { input: { status: 'draft' }, output: { broadcasts: [exampleBroadcast], nextBefore: null } },

  handle: (input, { db, caller }) =>
    listBroadcasts(db, broadcastTables, broadcastPresenterOfEmail, caller.environment.id, input),
});
