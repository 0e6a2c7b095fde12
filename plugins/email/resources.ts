import {
  boolean,
  dateTime,
  email,
  integer,
  list,
  map,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from '#core/kernel/schema/schema.js';
import { messageStatuses } from '#core/messaging/tables.js';

export const Blocked = object({
  reason: oneOf(
    ['test_environment', 'no_consent', 'suppressed_recipient'],
    'test_environment: test keys mail only the account’s own members; no_consent: the contact has not granted the topic; suppressed_recipient: the address is suppressed.',
  ),
  fix: text('The next step.'),
});

export const messageStatus = oneOf(
  messageStatuses,
  'queued: accepted, waits to be sent; held: waits until the account is open again; sending: being handed over; sent: every recipient’s mail server took it, which is not yet read or in the inbox; failed: given up, recipients say why; suppressed: stored and not sent, blocked says why; cancelled: stopped before it was sent; bounced: refused after it had been taken.',
);

export const EmailMessage = named(
  'EmailMessage',
  object({
    messageId: uuid(),
    status: messageStatus,
    blocked: nullable(Blocked),
    suppressedRecipients: list(email(), 'Recipients who do not get it.'),
    system: boolean('Sent by the service on the project’s behalf. Its content is never readable.'),
    to: list(email()),
    cc: list(email()),
    bcc: list(email()),
    from: email(),
    fromName: nullable(text()),
    replyTo: list(email()),
    subject: nullable(text('Null for system mail, and once a recipient was erased.')),
    template: nullable(text()),
    templateVersion: nullable(integer()),
    templateLocale: nullable(text()),
    topic: nullable(text()),
    broadcastId: nullable(uuid()),
    automationId: nullable(uuid()),
    contactId: nullable(uuid()),
    tags: map(text()),
    sendAfter: nullable(dateTime()),
    sentAt: nullable(dateTime()),
    bouncedAt: nullable(dateTime()),
    bounce: nullable(object({ kind: oneOf(['hard', 'soft']), code: nullable(text()), detail: text() })),
    createdAt: dateTime(),
  }),
);

export const Sender = named(
  'Sender',
  object({
    from: nullable(email()),
    fromName: nullable(text()),
    replyTo: nullable(email()),
    legalAddress: nullable(text('The postal address that marketing mail must contain.')),
    updatedAt: nullable(dateTime()),
  }),
);
