import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { pauseBroadcast } from '#core/messaging/broadcasts/operations.js';
import { pausedMessages } from '#core/messaging/broadcasts/resources.js';
import { exampleHeld } from '../../broadcasts/examples.js';
import { smsKit } from '../../broadcasts/kind.js';
import { SmsBroadcast } from '../../broadcasts/resources.js';

export default defineOperation({
  name: 'sms.broadcast.pause',
  summary: 'Holds the broadcast’s messages that have not yet been submitted to the carrier.',
  description:
    'Takes effect within a second. Messages that have already been sent are not recalled. sms.broadcast.resume releases the held messages. Pausing a broadcast that is held because of an overdue invoice keeps it held after payment.',
  keywords: 'campaign stop hold interrupt suspend',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true },
  input: object({ broadcastId: uuid('The broadcast to hold.') }),
  output: object({ broadcast: SmsBroadcast, pausedMessages }),
  errors: ['broadcast_not_sending'],
  events: ['sms.broadcast.paused'],
  example: {
    input: { broadcastId: exampleHeld.id },
    output: { broadcast: exampleHeld, pausedMessages: 608 },
  },

  async handle({ broadcastId }, context) {
    const { broadcast, messages, hasChanged } = await pauseBroadcast(context, smsKit, broadcastId);
    if (hasChanged) context.emit('sms.broadcast.paused', { subjectId: broadcastId, data: { broadcast } });
    return { broadcast, pausedMessages: messages };
  },
});
