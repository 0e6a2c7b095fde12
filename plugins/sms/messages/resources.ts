import { Money } from '#core/kernel/schema/money.js';
import { boolean, dateTime, integer, named, nullable, object, oneOf, text, uuid } from '#core/kernel/schema/schema.js';
import { blockedFields } from '#core/messaging/blocked.js';
import { originFields } from '#core/messaging/resource.js';
import { encodings } from '../tables/message.js';

const blockedReasons = [
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
      'registration_required: no carrier registration was submitted; test_environment: test keys do not send text messages; no_number: there is no number to send from; no_consent: the topic was not granted; suppressed_recipient: the number is suppressed.',
    ),
    ...blockedFields,
  },
  { description: 'Why it is not sent; null if it is sent.' },
);

export const messageStatus = oneOf(
  ['queued', 'held', 'sending', 'sent', 'failed', 'suppressed', 'cancelled'],
  'queued: accepted, waiting to be sent; held: waits until the account is reopened or its broadcast resumed; sending: being submitted; sent: the provider accepted it, see deliveredAt; failed: given up or not delivered, see error; suppressed: stored but not sent, see blocked; cancelled: stopped before it was sent.',
);

export const encoding = oneOf(
  encodings,
  'GSM-7: 160 characters in a single segment, 153 in each of several; UCS-2: 70 and 67, forced by any character that GSM-7 does not have.',
);

export const SmsMessage = named(
  'SmsMessage',
  object(
    {
      messageId: uuid('The message’s id.'),
      status: messageStatus,
      blocked: nullable(Blocked),
      system: boolean('Sent by svc on the project’s behalf. Its content is never readable.'),
      to: text('The recipient, E.164; empty after the recipient was erased.'),
      from: nullable(text('The number it is sent from.')),
      body: nullable(
        text(
          'The text; null for system messages, for a broadcast’s message until it is sent, and after the recipient was erased or the content was deleted (contentRemovedAt).',
        ),
      ),
      segments: integer('The number of segments; 0 for a broadcast’s message until it is sent.'),
      encoding,
      ...originFields,
      price: nullable(Money),
      sendAfter: nullable(
        dateTime(
          'Not sent before this time: the value given to sms.send, or the end of the recipient’s quiet hours while a message of a broadcast or automation waits for it; null to send immediately.',
        ),
      ),
      sentAt: nullable(dateTime('When the provider accepted it.')),
      deliveredAt: nullable(dateTime('When the carrier reported it as delivered; null if there is no such report.')),
      error: nullable(
        object(
          {
            code: nullable(text('The provider’s or carrier’s code.')),
            message: text('The provider’s or carrier’s message.'),
          },
          { description: 'Why it failed; null if it did not.' },
        ),
      ),
      createdAt: dateTime('When it was accepted.'),
      contentRemovedAt: nullable(
        dateTime('When the deployment deleted its content because of its age; null while it is kept.'),
      ),
    },
    {
      description:
        'A text message. `price` is its price when it was accepted; null without billing, for a message that is not sent, and for a broadcast’s message, whose total cost is in the account’s usage.',
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
