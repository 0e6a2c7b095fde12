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
      'test_environment: test keys send mail only to members of the account; no_consent: the topic was not granted; suppressed_recipient: every recipient is suppressed.',
    ),
    ...blockedFields,
  },
  { description: 'Why it is not sent; null if it is sent.' },
);

export const messageStatus = oneOf(
  messageStatuses,
  'queued: accepted, waiting to be sent; held: waits until the account is reopened or its broadcast resumed; sending: being submitted; sent: every recipient’s mail server accepted it, which does not mean that it reached the inbox or was read; failed: given up, see recipients; suppressed: stored but not sent, see blocked; cancelled: stopped before it was sent; bounced: refused after it had been accepted.',
);

export const EmailMessage = named(
  'EmailMessage',
  object(
    {
      messageId: uuid('The message’s id.'),
      status: messageStatus,
      blocked: nullable(Blocked),
      suppressedRecipients: list(email(), 'Recipients who do not receive it.'),
      system: boolean('Sent by svc on the project’s behalf. Its content is never readable.'),
      to: list(email(), 'The recipients.'),
      cc: list(email(), 'Recipients of a copy, visible to all recipients.'),
      bcc: list(email(), 'Recipients of a blind copy, not visible to the others.'),
      from: email('The sender’s address.'),
      fromName: nullable(text('The sender’s name.')),
      replyTo: list(email(), 'Where replies go; empty if they go to the sender.'),
      subject: nullable(
        text(
          'Null for system mail, after a recipient was erased or the content was deleted (contentRemovedAt), and for a broadcast’s message with variables until it is sent.',
        ),
      ),
      ...originFields,
      sendAfter: nullable(dateTime('Not sent before this time; null to send immediately.')),
      sentAt: nullable(dateTime('When the mail server accepted it.')),
      deliveredAt: nullable(dateTime('When the provider reported it as delivered; null if there is no such report.')),
      bouncedAt: nullable(dateTime('When it bounced.')),
      bounce: nullable(
        object(
          {
            kind: oneOf(bounceKinds, 'hard: the address does not work; soft: it may work later.'),
            code: nullable(text('The status code of the report.')),
            detail: text('The text of the report.'),
          },
          { description: 'Why it bounced; null if it did not.' },
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
      from: nullable(email('The default from address; null for the project’s own address.')),
      fromName: nullable(text('The default name that recipients see.')),
      replyTo: nullable(email('Where replies go; null if they go to the from address.')),
      legalAddress: nullable(text('The postal address that marketing mail must include.')),
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
