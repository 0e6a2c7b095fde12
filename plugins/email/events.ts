import { declareEvents } from '#core/kernel/events/declare.js';
import { object, type ValueOf } from '#core/kernel/schema/schema.js';
import { exampleMessage, exampleSender } from './examples.js';
import { presentBlocked } from './messages/present.js';
import { EmailMessage, Sender } from './resources.js';

const message = object({ message: EmailMessage });

const of = (changes: Partial<ValueOf<typeof EmailMessage>>): object => ({ message: { ...exampleMessage, ...changes } });

export const events = declareEvents({
  'email.queued': {
    summary: 'A message was accepted for delivery.',
    subject: 'message',
    data: message,
    example: of({ status: 'queued', sentAt: null }),
  },
  'email.sent': { summary: 'The mail server accepted a message.', subject: 'message', data: message, example: of({}) },
  'email.failed': {
    summary: 'A message was refused permanently, or its attempts are used up.',
    subject: 'message',
    data: message,
    example: of({ status: 'failed', sentAt: null }),
  },
  'email.suppressed': {
    summary: 'A message was stored and is not sent: none of its recipients may get it.',
    subject: 'message',
    data: message,
    example: of({
      status: 'suppressed',
      sentAt: null,
      blocked: presentBlocked('suppressed_recipient'),
      suppressedRecipients: ['ada@example.com'],
    }),
  },
  'email.cancelled': {
    summary: 'A message was cancelled before it was sent.',
    subject: 'message',
    data: message,
    example: of({ status: 'cancelled', sentAt: null }),
  },
  'email.bounced': {
    summary: 'A message bounced after it was sent.',
    subject: 'message',
    data: message,
    example: of({
      status: 'bounced',
      bouncedAt: '2026-11-20T09:31:00.000Z',
      bounce: { kind: 'hard', code: '5.1.1', detail: 'No such mailbox.' },
    }),
  },
  'email.sender.changed': {
    summary: 'The default sender changed.',
    subject: 'environment',
    data: object({ sender: Sender }),
    example: { sender: exampleSender },
  },
});

declare module '#core/kernel/events/declare.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
