import { Money } from '#core/kernel/schema/money.js';
import { boolean, dateTime, integer, named, nullable, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';
import { blockedFields } from '#core/messaging/blocked.js';
import { originFields } from '#core/messaging/resource.js';
import { encodings } from '../tables/message.js';

export const blockedReasons = [
  'registration_required',
  'test_environment',
  'no_number',
  'no_consent',
  'suppressed_recipient',
] as const;

export const Blocked = object(
  {
    reason: oneOf(
      blockedReasons,
      'registration_required: no carrier registration was filed; test_environment: test keys send no texts; no_number: there is no number to send from; no_consent: the topic was not granted; suppressed_recipient: the number is suppressed.',
    ),
    ...blockedFields,
  },
  { description: 'Why it is not sent; null when it is.' },
);

export const messageStatus = oneOf(
  ['queued', 'held', 'sending', 'sent', 'failed', 'suppressed', 'cancelled'],
  'queued: accepted, waits to be sent; held: waits until the account is open again or its broadcast resumed; sending: being handed over; sent: the provider took it, see deliveredAt; failed: given up or not delivered, see error; suppressed: stored and not sent, blocked says why; cancelled: stopped before it was sent.',
);

export const encoding = oneOf(
  encodings,
  'GSM-7: 160 characters in one segment, 153 in each of several; UCS-2: 70 and 67, forced by any character that GSM-7 does not have.',
);

export const SmsMessage = named(
  'SmsMessage',
  object(
    {
      messageId: uuid('The message’s id.'),
      status: messageStatus,
      blocked: nullable(Blocked),
      system: boolean('Sent by the service on the project’s behalf. Its content is never readable.'),
      to: text('The recipient, E.164; empty once the recipient was erased.'),
      from: nullable(text('The number it is sent from.')),
      body: nullable(
        text(
          'What it says; null for system texts, until a broadcast’s message leaves, and once the recipient was erased or the content was deleted (contentRemovedAt).',
        ),
      ),
      segments: integer('The parts that it is sent in; 0 until a broadcast’s message leaves.'),
      encoding,
      ...originFields,
      price: nullable(Money),
      sendAfter: nullable(
        dateTime(
          'Not sent before this time: the one given to sms.send, or the end of the recipient’s quiet hours while a text of a broadcast or automation waits for it; null for at once.',
        ),
      ),
      sentAt: nullable(dateTime('When the provider took it.')),
      deliveredAt: nullable(dateTime('When the carrier reported it as delivered; null without such a report.')),
      error: nullable(
        object(
          {
            code: nullable(text('The provider’s or carrier’s code.')),
            message: text('The provider’s or carrier’s words.'),
          },
          { description: 'Why it failed; null unless it did.' },
        ),
      ),
      createdAt: dateTime('When it was accepted.'),
      contentRemovedAt: nullable(
        dateTime('When the deployment deleted its content because of its age; null while it is kept.'),
      ),
    },
    {
      description:
        'A text message. `price` is what it cost when it was accepted; null without billing, for a text that did not leave, and for a text of a broadcast: the account’s usage shows what that cost as a whole.',
      columns: [
        'messageId',
        'status',
        'to',
        'blocked.reason',
        'error.message',
        'body',
        'createdAt',
        'segments',
        'price',
        'from',
      ],
    },
  ),
);
