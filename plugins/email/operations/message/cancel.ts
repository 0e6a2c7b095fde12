import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { withdrawWork } from '#core/runtime/work/queue.js';
import { exampleMessage } from '../../examples.js';
import { EmailMessage } from '../../resources.js';
import { endWaiting } from '../../messages/finalize.js';
import { findMessage, suppressedOf } from '../../messages/find.js';
import { deliveryQueue } from '../../messages/store.js';
import { presentMessage } from '../../messages/present.js';

export default defineOperation({
  name: 'email.message.cancel',
  summary: 'Cancel a message that has not been handed to delivery.',
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

  async handle(input, { db, caller, clock, fail, emit, audit }) {
    const before = await findMessage(db, caller, input.messageId, fail);
    // As it is kept: an id may be written in capitals.
    const messageId = before.id;
    const suppressed = (await suppressedOf(db, [messageId])).get(messageId) ?? [];
    audit({ subject: { type: 'message', id: messageId }, summary: 'Cancelled a message.' });
    if (before.status === 'cancelled') return { message: presentMessage(before, suppressed) };
    // The queue's row decides the race with delivery: whoever takes it out has the message.
    if (!(await withdrawWork(db, deliveryQueue, messageId))) {
      const now = await findMessage(db, caller, messageId, fail);
      if (now.status === 'cancelled') return { message: presentMessage(now, suppressed) };
      throw fail.message_not_cancellable({ status: now.status === 'queued' ? 'sending' : now.status });
    }
    const ended = await endWaiting(db, before, clock.now());
    // It waited for another try for the others: what some have got cannot be called cancelled.
    if (ended.status !== 'cancelled') throw fail.message_not_cancellable({ status: 'sent to some of its recipients' });
    const message = presentMessage(ended, suppressed);
    emit('email.cancelled', { subjectId: messageId, data: { message } });
    return { message };
  },
});
