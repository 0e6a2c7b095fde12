import { declareEvents } from '#core/kernel/event.js';
import { object, type ValueOf } from '#core/kernel/schema/schema.js';
import { exampleMessage } from './examples.js';
import { presentBlocked } from './present.js';
import { SmsMessage } from './resources.js';

const message = object({ message: SmsMessage });

const of = (changes: Partial<ValueOf<typeof SmsMessage>>): object => ({ message: { ...exampleMessage, ...changes } });

const unsent = { sentAt: null, deliveredAt: null } as const;
/** It will not be sent, so it costs nothing. */
const free = { ...unsent, price: null } as const;

export const messageEvents = declareEvents({
  'sms.queued': {
    summary: 'A text message was accepted for delivery.',
    subject: 'message',
    data: message,
    example: of({ ...unsent, status: 'queued' }),
  },
  'sms.sent': {
    summary: 'The provider accepted a text message.',
    subject: 'message',
    data: message,
    example: of({ deliveredAt: null }),
  },
  'sms.failed': {
    summary:
      'A text message was refused, failed after its last attempt, or was reported as undelivered by the carrier.',
    subject: 'message',
    data: message,
    example: of({ ...free, status: 'failed', error: { code: '30003', message: 'Unreachable destination handset' } }),
  },
  'sms.suppressed': {
    summary: 'A text message was stored but is not sent, because its recipient may not receive it.',
    subject: 'message',
    data: message,
    example: of({
      ...free,
      status: 'suppressed',
      // A reason that exists without audience, too.
      blocked: presentBlocked({ blockedReason: 'registration_required', blockedBy: null }),
    }),
  },
  'sms.cancelled': {
    summary: 'A text message was cancelled before it was sent.',
    subject: 'message',
    data: message,
    example: of({ ...free, status: 'cancelled' }),
  },
});
