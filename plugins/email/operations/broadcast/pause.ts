import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { holdBroadcast } from '#core/messaging/broadcasts/change-status.js';
import { exampleHeld } from '../../broadcasts/examples.js';
import { emailBroadcasts } from '../../broadcasts/kind.js';
import { presentOne } from '../../broadcasts/present.js';
import { Broadcast } from '../../broadcasts/resources.js';
import { broadcasts } from '../../tables/broadcast.js';

export default defineOperation({
  name: 'email.broadcast.pause',
  summary: 'Hold the messages of a broadcast that were not yet handed to delivery.',
  description:
    'Takes effect within a second. Messages that have left are not recalled. email.broadcast.resume lets the others go on. One that is held because an invoice is overdue then stays held after payment.',
  keywords: 'newsletter campaign stop hold interrupt suspend',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true },
  input: object({ broadcastId: uuid('The broadcast to hold.') }),
  output: object({ broadcast: Broadcast, pausedMessages: count('Messages that this call held.') }),
  errors: ['broadcast_not_sending'],
  events: ['email.broadcast.paused'],
  example: {
    input: { broadcastId: exampleHeld.id },
    output: { broadcast: exampleHeld, pausedMessages: 912 },
  },

  async handle({ broadcastId }, context) {
    const { db, caller, fail, emit, audit } = context;
    const before = await lockOwned(db, broadcasts, caller, broadcastId);
    const isHeld = before.status === 'held';
    if (before.status !== 'sending' && !isHeld)
      throw fail.broadcast_not_sending({ channel: 'email', status: before.status });
    audit({
      subject: { type: 'broadcast', id: before.id },
      summary: `Paused the broadcast “${before.name}”.`,
      changes: isHeld ? [] : [{ field: 'status', from: before.status, to: 'held' }],
      unchanged: `the broadcast “${before.name}” was held already.`,
    });
    // The account's payment must not release what somebody has paused.
    if (before.holdReason === 'past_due') {
      const row = await holdBroadcast(context, emailBroadcasts, before, 'paused');
      return { broadcast: await presentOne(db, row), pausedMessages: 0 };
    }
    if (isHeld) return { broadcast: await presentOne(db, before), pausedMessages: 0 };
    const row = await holdBroadcast(context, emailBroadcasts, before, 'paused');
    const broadcast = await presentOne(db, row);
    emit('email.broadcast.paused', { subjectId: row.id, data: { broadcast } });
    return { broadcast, pausedMessages: broadcast.counts?.held ?? 0 };
  },
});
