import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { pauseBroadcast } from '#core/messaging/broadcasts/operations.js';
import { pausedMessages } from '#core/messaging/broadcasts/resources.js';
import { exampleHeld } from '../../broadcasts/examples.js';
import { emailKit } from '../../broadcasts/kind.js';
import { Broadcast } from '../../broadcasts/resources.js';

export default defineOperation({
  name: 'email.broadcast.pause',
  summary: 'Holds the broadcast’s messages that have not yet been submitted for delivery.',
  description:
    'Takes effect within a second. Messages that have already been sent are not recalled. email.broadcast.resume releases the held messages. Pausing a broadcast that is held because of an overdue invoice keeps it held after payment.',
  keywords: 'newsletter campaign stop hold interrupt suspend',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true },
  input: object({ broadcastId: uuid('The broadcast to hold.') }),
  output: object({ broadcast: Broadcast, pausedMessages }),
  errors: ['broadcast_not_sending'],
  events: ['email.broadcast.paused'],
  example: {
    input: { broadcastId: exampleHeld.id },
    output: { broadcast: exampleHeld, pausedMessages: 912 },
  },

  async handle({ broadcastId }, context) {
    const { broadcast, messages, hasChanged } = await pauseBroadcast(context, emailKit, broadcastId);
    if (hasChanged) context.emit('email.broadcast.paused', { subjectId: broadcastId, data: { broadcast } });
    return { broadcast, pausedMessages: messages };
  },
});
