import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { cancelOwned } from '#core/messaging/cancel.js';
import { unsentRecipients } from '#core/messaging/load.js';
import { exampleMessage } from '../../examples.js';
import { aboutPerson } from '#core/messaging/driver.js';
import { emailDriver } from '../../messages/driver.js';
import { presentMessage } from '../../messages/present.js';
import { EmailMessage } from '../../resources.js';
import { messages } from '../../tables/message.js';

export default defineOperation({
  name: 'email.message.cancel',
  summary: 'Cancels a message that has not yet been submitted for delivery.',
  keywords: 'mail e-mail stop abort unsend recall scheduled delayed',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ messageId: uuid('The message to cancel.') }),
  output: object({ message: EmailMessage }),
  errors: ['message_not_cancellable'],
  events: ['email.cancelled'],
  example: {
    input: { messageId: exampleMessage.messageId },
    output: { message: { ...exampleMessage, status: 'cancelled', sentAt: null } },
  },

  async handle({ messageId }, context) {
    const { db, emit } = context;
    const unsent = await unsentRecipients(db, emailDriver, [messageId]);
    const suppressed = unsent.suppressed.get(messageId.toLowerCase()) ?? [];
    const message = await cancelOwned(context, emailDriver, messages, messageId, (cancelled) => {
      const data = { message: presentMessage(cancelled, suppressed) };
      emit('email.cancelled', { subjectId: cancelled.id, data, ...aboutPerson(cancelled) });
    });
    return { message: presentMessage(message, suppressed) };
  },
});
