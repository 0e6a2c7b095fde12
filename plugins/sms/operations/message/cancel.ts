import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { cancelOwned } from '#core/messaging/cancel.js';
import { aboutPerson } from '#core/messaging/driver.js';
import { findMessage } from '#core/messaging/message-retention.js';
import { smsDriver } from '../../messages/driver.js';
import { exampleMessage } from '../../messages/examples.js';
import { presentMessage } from '../../messages/present.js';
import { SmsMessage } from '../../messages/resources.js';
import { isUnclear } from '../../messages/unclear.js';
import { messages } from '../../tables/message.js';

export default defineOperation({
  name: 'sms.message.cancel',
  summary: 'Cancels a message that has not yet been submitted to the carrier.',
  keywords: 'sms stop abort unsend recall scheduled delayed',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ messageId: uuid('The message to cancel.') }),
  output: object({ message: SmsMessage }),
  errors: ['message_not_cancellable'],
  events: ['sms.cancelled'],
  example: {
    input: { messageId: exampleMessage.messageId },
    output: { message: { ...exampleMessage, status: 'cancelled', price: null, sentAt: null, deliveredAt: null } },
  },

  async handle({ messageId }, context) {
    const { status } = await findMessage(context, messages, messageId);
    // The caller must not believe that nobody gets it.
    if (status === 'queued' && (await isUnclear(context.db, messageId)))
      throw context.fail.message_not_cancellable({
        get: 'sms.message.get',
        status: 'submitted to the provider, which has not confirmed it yet',
      });
    const message = await cancelOwned(context, smsDriver, messages, messageId, (cancelled) => {
      const data = { message: presentMessage(cancelled) };
      context.emit('sms.cancelled', { subjectId: cancelled.id, data, ...aboutPerson(cancelled) });
    });
    return { message: presentMessage(message) };
  },
});
