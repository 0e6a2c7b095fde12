import { defineOperation } from '#core/kernel/operation.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { cancelMessage } from '#core/messaging/cancel.js';
import { suppressedAddresses } from '#core/messaging/load.js';
import { exampleMessage } from '../../examples.js';
import { aboutPerson } from '#core/messaging/channel.js';
import { emailChannel } from '../../messages/channel.js';
import { presentMessage } from '../../messages/present.js';
import { EmailMessage } from '../../resources.js';
import { messages } from '../../tables/message.js';

export default defineOperation({
  name: 'email.message.cancel',
  summary: 'Cancel a message that has not been handed to delivery.',
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

  async handle(input, { db, use, caller, clock, fail, emit, audit }) {
    const before = await findOwned(db, messages, caller, input.messageId);
    const messageId = before.id;
    const suppressed = (await suppressedAddresses(db, emailChannel, [messageId])).get(messageId) ?? [];
    const { status } = presentMessage(before, suppressed, {
      isLeased: false,
      isClosed: caller.environment.closedAt !== null,
    });
    audit({
      subject: { type: 'message', id: messageId },
      summary: 'Cancelled a message.',
      changes: status === 'cancelled' ? [] : [{ field: 'status', from: status, to: 'cancelled' }],
      unchanged: 'the message was cancelled already.',
    });
    if (before.status === 'cancelled') return { message: presentMessage(before, suppressed) };
    const cancelled = await cancelMessage(
      { db, use },
      emailChannel,
      messageId,
      caller.environment,
      clock.now(),
      ({ message }) => {
        // Some recipients received it in an earlier attempt, so it counts as sent.
        if (message.status !== 'cancelled')
          throw fail.message_not_cancellable({ get: 'email.message.get', status: 'sent to some of its recipients' });
        const data = { message: presentMessage(message, suppressed) };
        emit('email.cancelled', { subjectId: messageId, data, ...aboutPerson(message) });
      },
    );
    const message = cancelled ?? (await findOwned(db, messages, caller, messageId));
    if (message.status === 'cancelled') return { message: presentMessage(message, suppressed) };
    throw fail.message_not_cancellable({
      get: 'email.message.get',
      status: message.status === 'queued' ? 'sending' : message.status,
    });
  },
});
