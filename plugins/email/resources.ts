import {
  boolean,
  dateTime,
  email,
  integer,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from '#core/kernel/schema/schema.js';
import { blockedFields } from '#core/messaging/blocked.js';
import { originFields } from '#core/messaging/resource.js';
import { messageStatuses } from '#core/messaging/tables.js';
import { bounceKinds } from './tables/message.js';

export const Blocked = object(
  {
    reason: oneOf(
      ['test_environment', 'no_consent', 'suppressed_recipient'],
      'test_environment: test keys mail members of the account only; no_consent: the topic was not granted; suppressed_recipient: every recipient is suppressed.',
    ),
    ...blockedFields,
  },
  { description: 'Why it is not sent; null when it is.' },
);

export const messageStatus = oneOf(
  messageStatuses,
  'queued: accepted, waits to be sent; held: waits until the account is open again, or its broadcast goes on; sending: being handed over; sent: every recipient’s mail server took it, which is not yet read or in the inbox; failed: given up, recipients say why; suppressed: stored and not sent, blocked says why; cancelled: stopped before it was sent; bounced: refused after it had been taken.',
);

export const EmailMessage = named(
  'EmailMessage',
  object(
    {
      messageId: uuid('The message’s id.'),
      status: messageStatus,
      blocked: nullable(Blocked),
      suppressedRecipients: list(email(), 'Recipients who do not get it.'),
      system: boolean('Sent by the service on the project’s behalf. Its content is never readable.'),
      to: list(email(), 'The recipients.'),
      cc: list(email(), 'Recipients of a copy, visible to all.'),
      bcc: list(email(), 'Recipients of a copy, visible to nobody.'),
      from: email('The sender’s address.'),
      fromName: nullable(text('The sender’s name.')),
      replyTo: list(email(), 'Where replies go; empty for the sender.'),
      subject: nullable(
        text(
          'Null for system mail, once a recipient was erased or the content was deleted (contentRemovedAt), and of a broadcast’s message with variables in it until it is handed over.',
        ),
      ),
      ...originFields,
      sendAfter: nullable(dateTime('Not sent before this time; null for at once.')),
      sentAt: nullable(dateTime('When the mail server accepted it.')),
      deliveredAt: nullable(dateTime('When the provider reported it as delivered; null without such a report.')),
      bouncedAt: nullable(dateTime('When it came back.')),
      bounce: nullable(
        object(
          {
            kind: oneOf(bounceKinds, 'hard: the address does not work; soft: it may work later.'),
            code: nullable(text('The status code of the report.')),
            detail: text('What the report says.'),
          },
          { description: 'Why it came back; null unless it did.' },
        ),
      ),
      createdAt: dateTime('When it was accepted.'),
      contentRemovedAt: nullable(
        dateTime('When the deployment deleted its content because of its age; null while it is kept.'),
      ),
    },
    {
      description: 'An email message.',
      columns: [
        'messageId',
        'status',
        'to',
        'blocked.reason',
        'subject',
        'createdAt',
        'sendAfter',
        'topic',
        'template',
        'from',
        'broadcastId',
      ],
    },
  ),
);

export const Sender = named(
  'Sender',
  object(
    {
      from: nullable(email('The default from address; null for the project’s own.')),
      fromName: nullable(text('The default name that recipients see.')),
      replyTo: nullable(email('Where replies go; null for the from address.')),
      legalAddress: nullable(text('The postal address that marketing mail must contain.')),
      updatedAt: nullable(dateTime('When it last changed.')),
    },
    { description: 'The default sender of an environment.' },
  ),
);

/** An attachment in replies. */
export const AttachmentFacts = object({
  filename: text('The name that recipients see.'),
  contentType: text('The MIME type.'),
  bytes: integer('The size.'),
});
