import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { queueBroadcast, updateBroadcast } from '#core/messaging/broadcasts/change-status.js';
import { exampleClosed } from '../../broadcasts/examples.js';
import { releaseBroadcast } from '../../broadcasts/kind.js';
import { presentOne } from '../../broadcasts/present.js';
import { Broadcast } from '../../broadcasts/resources.js';
import { broadcasts, broadcastTables } from '../../tables/broadcast.js';

export default defineOperation({
  name: 'email.broadcast.cancel',
  summary: 'Close a draft, or cancel the messages of a broadcast that have not left. Sent messages are not recalled.',
  description:
    'However many messages wait, none leaves from this call on. Their rows and their email.cancelled events are written in the background.',
  keywords: 'newsletter campaign stop abort delete unschedule',
  access: 'secret',
  requires: 'audience',
  impact: { destructive: true, retrySafe: true },
  input: object({ broadcastId: uuid('The broadcast to cancel.') }),
  output: object({
    broadcast: Broadcast,
    cancelledMessages: count('Messages that this call cancelled. Those being sent are not among them.'),
  }),
  errors: ['broadcast_finished'],
  events: ['email.broadcast.cancelled', 'email.cancelled'],
  example: {
    input: { broadcastId: exampleClosed.id },
    output: { broadcast: exampleClosed, cancelledMessages: 912 },
  },

  async handle({ broadcastId }, context) {
    const { db, caller, clock, fail, emit, audit } = context;
    const before = await lockOwned(db, broadcasts, caller, broadcastId);
    if (before.status === 'sent') throw fail.broadcast_finished({ channel: 'email' });
    const isClosed = before.status === 'closed';
    audit({
      subject: { type: 'broadcast', id: before.id },
      summary: `Cancelled the broadcast “${before.name}”.`,
      changes: isClosed ? [] : [{ field: 'status', from: before.status, to: 'closed' }],
      unchanged: `the broadcast “${before.name}” was cancelled already.`,
    });
    if (isClosed) return { broadcast: await presentOne(db, before), cancelledMessages: 0 };
    const now = clock.now();
    const { counts } = await presentOne(db, before);
    const row = await updateBroadcast(context, broadcastTables, before, {
      status: 'closed',
      holdReason: null,
      cancelledAt: now,
      updatedAt: now,
      ...(before.sentAt === null ? { completedAt: now } : {}),
    });
    await releaseBroadcast(context, row.id);
    if (row.sentAt !== null) await queueBroadcast(context, broadcastTables, row, now);
    const broadcast = await presentOne(db, row);
    emit('email.broadcast.cancelled', { subjectId: row.id, data: { broadcast } });
    return { broadcast, cancelledMessages: (counts?.queued ?? 0) + (counts?.held ?? 0) };
  },
});
