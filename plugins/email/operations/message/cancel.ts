import { defineOperation } from '#core/kernel/operation.js';
import { object, oneOf, optional, uuid } from '#core/kernel/schema/schema.js';
import { cancelOwned } from '#core/messaging/cancel.js';
import { unsentRecipients } from '#core/messaging/load.js';
import { exampleMessage } from '../../examples.js';
import { aboutPerson } from '#core/messaging/driver.js';
import { emailDriver } from '../../messages/driver.js';
import { endMessageWait } from '../../messages/end-wait.js';
import { presentMessage } from '../../messages/present.js';
import { EmailMessage } from '../../resources.js';
import { messages } from '../../tables/message.js';

export default defineOperation({
  name: 'email.message.cancel',
  summary: 'Cancels a message that has not yet been submitted for delivery, or only its wait for the next attempt.',
  keywords: 'mail e-mail stop abort unsend recall scheduled delayed try now retry resend again',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({
    messageId: uuid('The message to cancel.'),
    only: optional(
      oneOf(
        ['wait'],
        'wait: the message is not cancelled, but its wait for the next attempt, so that it is tried now. It must have been tried before.',
      ),
    ),
  }),
  output: object({ message: EmailMessage }),
  errors: ['message_not_cancellable'],
  events: ['email.cancelled'],
  example: {
    input: { messageId: exampleMessage.messageId },
    output: { message: { ...exampleMessage, status: 'cancelled', sentAt: null } },
  },

  async handle({ messageId, only }, context) {
    const { db, emit } = context;
    if (only === 'wait') return { message: await endMessageWait(context, messageId) };
    const unsent = await unsentRecipients(db, emailDriver, [messageId]);
    const suppressed = unsent.suppressed.get(messageId.toLowerCase()) ?? [];
    const message = await cancelOwned(context, emailDriver, messages, messageId, (cancelled) => {
      const data = { message: presentMessage(cancelled, suppressed) };
      emit('email.cancelled', { subjectId: cancelled.id, data, ...aboutPerson(cancelled) });
    });
    return { message: presentMessage(message, suppressed) };
  },
});
