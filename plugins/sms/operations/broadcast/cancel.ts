import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { cancelBroadcast } from '#core/messaging/broadcasts/operations.js';
import { cancelledMessages } from '#core/messaging/broadcasts/resources.js';
import { exampleClosed } from '../../broadcasts/examples.js';
import { smsKit } from '../../broadcasts/kind.js';
import { SmsBroadcast } from '../../broadcasts/resources.js';

export default defineOperation({
  name: 'sms.broadcast.cancel',
  summary: 'Closes a draft, or cancels the messages that are still queued or held.',
  description:
    'Sent messages are not recalled. No message is sent after this call returns, no matter how many are waiting. The rows and the sms.cancelled events are written in the background.',
  keywords: 'campaign stop abort delete unschedule',
  access: 'secret',
  requires: 'audience',
  impact: { destructive: true, retrySafe: true },
  input: object({ broadcastId: uuid('The broadcast to cancel.') }),
  output: object({
    broadcast: SmsBroadcast,
    cancelledMessages,
  }),
  errors: ['broadcast_finished'],
  events: ['sms.broadcast.cancelled', 'sms.cancelled'],
  example: {
    input: { broadcastId: exampleClosed.id },
    output: { broadcast: exampleClosed, cancelledMessages: 608 },
  },

  async handle({ broadcastId }, context) {
    const { broadcast, messages, hasChanged } = await cancelBroadcast(context, smsKit, broadcastId);
    if (hasChanged) context.emit('sms.broadcast.cancelled', { subjectId: broadcastId, data: { broadcast } });
    return { broadcast, cancelledMessages: messages };
  },
});
