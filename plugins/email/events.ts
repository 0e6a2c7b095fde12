import { declareEvents } from '#core/kernel/events/declare.js';
import { object } from '#core/kernel/schema/schema.js';
import { EmailMessage, Sender } from './resources.js';

const message = object({ message: EmailMessage });

export const events = declareEvents({
  'email.queued': { summary: 'A message was accepted for delivery.', subject: 'message', data: message },
  'email.sent': { summary: 'The mail server accepted a message.', subject: 'message', data: message },
  'email.failed': {
    summary: 'A message was refused permanently, or its attempts are used up.',
    subject: 'message',
    data: message,
  },
  'email.suppressed': {
    summary: 'A message was stored and is not sent: none of its recipients may get it.',
    subject: 'message',
    data: message,
  },
  'email.cancelled': { summary: 'A message was cancelled before it was sent.', subject: 'message', data: message },
  'email.bounced': { summary: 'A message bounced after it was sent.', subject: 'message', data: message },
  'email.sender.changed': {
    summary: 'The default sender changed.',
    subject: 'environment',
    data: object({ sender: Sender }),
  },
});

declare module '#core/kernel/events/declare.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
