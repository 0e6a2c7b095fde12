import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { cancelBroadcast } from '#core/messaging/broadcasts/operations.js';
import { cancelledMessages } from '#core/messaging/broadcasts/resources.js';
import { exampleClosed } from '../../broadcasts/examples.js';
import { smsKit } from '../../broadcasts/kind.js';
import { SmsBroadcast } from '../../broadcasts/resources.js';

export default defineOperation({
  name: 'sms.broadcast.cancel',
  summary: 'Close a draft, or cancel the texts of a broadcast that have not left. Sent texts are not recalled.',
  description:
    'However many texts wait, none leaves from this call on. Their rows and their sms.cancelled events are written in the background.',
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
