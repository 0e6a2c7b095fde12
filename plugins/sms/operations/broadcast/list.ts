import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { listBroadcasts } from '#core/messaging/broadcasts/list.js';
import { broadcastStatus } from '#core/messaging/broadcasts/resources.js';
import { exampleBroadcast } from '../../broadcasts/examples.js';
import { smsPresenter } from '../../broadcasts/present.js';
import { SmsBroadcast } from '../../broadcasts/resources.js';
import { broadcastTables } from '../../tables/broadcast.js';

export default defineOperation({
  name: 'sms.broadcast.list',
  summary: 'Lists SMS broadcasts, newest first.',
  keywords: 'campaigns all',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  input: object({ ...page, status: optional(broadcastStatus) }),
  output: object({ broadcasts: list(SmsBroadcast), nextBefore }),
  example: { input: { status: 'draft' }, output: { broadcasts: [exampleBroadcast], nextBefore: null } },

  handle: (input, { db, caller }) => listBroadcasts(db, broadcastTables, smsPresenter, caller.environment.id, input),
});
