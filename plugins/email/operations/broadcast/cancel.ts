import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { cancelBroadcast } from '#core/messaging/broadcasts/operations.js';
import { cancelledMessages } from '#core/messaging/broadcasts/resources.js';
import { exampleClosed } from '../../broadcasts/examples.js';
import { emailKit } from '../../broadcasts/kind.js';
import { Broadcast } from '../../broadcasts/resources.js';

export default defineOperation({
  name: 'email.broadcast.cancel',
  summary: 'Closes a draft, or cancels the messages that are still queued or held.',
  description:
    'Sent messages are not recalled. No message is sent after this call returns, no matter how many are waiting. The rows and the email.cancelled events are written in the background.',
  keywords: 'newsletter campaign stop abort delete unschedule',
  access: 'secret',
  requires: 'audience',
  impact: { destructive: true, retrySafe: true },
  input: object({ broadcastId: uuid('The broadcast to cancel.') }),
  output: object({
    broadcast: Broadcast,
    cancelledMessages,
  }),
  errors: ['broadcast_finished'],
  events: ['email.broadcast.cancelled', 'email.cancelled'],
  example: {
    input: { broadcastId: exampleClosed.id },
    output: { broadcast: exampleClosed, cancelledMessages: 912 },
  },

  async handle({ broadcastId }, context) {
    const { broadcast, messages, hasChanged } = await cancelBroadcast(context, emailKit, broadcastId);
    if (hasChanged) context.emit('email.broadcast.cancelled', { subjectId: broadcastId, data: { broadcast } });
    return { broadcast, cancelledMessages: messages };
  },
});
