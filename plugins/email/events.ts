import { declareEvents } from '#core/kernel/events/declare.js';
import { object } from '#core/kernel/schema/schema.js';
import { EmailMessage, Sender } from './resources.js';

const message = object({ message: EmailMessage });

export const events = declareEvents({
  'email.queued': { summary: 'A message was accepted for delivery.', subject: 'message', data: message },
  'email.sent': { summary: 'The receiving server took a message.', subject: 'message', data: message },
  'email.failed': {
    summary: 'A message was refused for good, or its tries are used up.',
    subject: 'message',
    data: message,
  },
  'email.suppressed': {
    summary: 'A message was stored and not sent: nobody on it may be reached.',
    subject: 'message',
    data: message,
  },
  'email.cancelled': { summary: 'A message was cancelled before it left.', subject: 'message', data: message },
  'email.bounced': { summary: 'A message came back after it was sent.', subject: 'message', data: message },
  'email.sender.changed': {
    summary: 'The default sender changed.',
    subject: 'environment',
    data: object({ sender: Sender }),
  },
});

declare module '#core/kernel/events/declare.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
