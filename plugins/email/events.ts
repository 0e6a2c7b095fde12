import { declareEvents } from '#core/kernel/event.js';
import {
  exampleDomain,
  exampleFailed,
  examplePending,
  exampleReceiving,
  exampleRemoved,
  exampleVerified,
} from './domains/examples.js';
import { Domain } from './domains/resources.js';
import { email, integer, list, object, oneOf, text, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import { broadcastEvents } from './broadcasts/events.js';
import { automationEvents } from './automations/events.js';
import { exampleMessage, exampleSender } from './examples.js';
import { exampleInbound } from './inbound/examples.js';
import { Inbound, refusals } from './inbound/resources.js';
import { presentBlocked } from './messages/present.js';
import { EmailMessage, Sender } from './resources.js';
import { Template } from '#core/messaging/templates/resource.js';
import { exampleTemplate } from './templates/examples.js';

const message = object({ message: EmailMessage });
const domain = object({ domain: Domain });

const of = (changes: Partial<ValueOf<typeof EmailMessage>>): object => ({ message: { ...exampleMessage, ...changes } });

export const events = declareEvents({
  'email.domain.added': {
    summary: 'A sending domain was added.',
    subject: 'domain',
    data: domain,
    example: { domain: exampleDomain },
  },
  'email.domain.registered': {
    summary: 'The keys of a sending domain were generated: its records can be published.',
    subject: 'domain',
    data: domain,
    example: { domain: exampleDomain },
  },
  'email.domain.verified': {
    summary: 'Every required record of a sending domain resolves.',
    subject: 'domain',
    data: domain,
    example: { domain: exampleVerified },
  },
  'email.domain.active': {
    summary: 'Mail from a sending domain is accepted and signed.',
    subject: 'domain',
    data: domain,
    example: { domain: exampleVerified },
  },
  'email.domain.pending': {
    summary: 'A record of a verified sending domain went missing. Mail from it is accepted for another 72 hours.',
    subject: 'domain',
    data: domain,
    example: { domain: examplePending },
  },
  'email.domain.failed': {
    summary: 'Records of a sending domain have been missing for 72 hours. Mail from it is not accepted.',
    subject: 'domain',
    data: domain,
    example: { domain: exampleFailed },
  },
  'email.domain.removed': {
    summary: 'A sending domain was removed.',
    subject: 'domain',
    data: domain,
    example: { domain: exampleRemoved },
  },
  'email.domain.receiving_enabled': {
    summary: 'Inbound mail was turned on for a domain.',
    subject: 'domain',
    data: domain,
    example: { domain: exampleReceiving },
  },
  'email.domain.receiving_disabled': {
    summary: 'Inbound mail was turned off for a domain.',
    subject: 'domain',
    data: domain,
    example: { domain: exampleVerified },
  },
  ...broadcastEvents,
  ...automationEvents,
  'email.queued': {
    summary: 'A message was accepted for delivery.',
    subject: 'message',
    data: message,
    example: of({ status: 'queued', sentAt: null }),
  },
  'email.sent': {
    summary: 'The mail server accepted a message.',
    subject: 'message',
    data: object({
      message: EmailMessage,
      failedRecipients: list(
        email(),
        'Recipients who do not receive it, because it was refused or cancelled for them.',
      ),
    }),
    example: { message: exampleMessage, failedRecipients: [] },
  },
  'email.failed': {
    summary: 'A message was refused permanently, or failed after its last attempt.',
    subject: 'message',
    data: message,
    example: of({ status: 'failed', sentAt: null }),
  },
  'email.suppressed': {
    summary: 'A message was stored but is not sent, because none of its recipients may receive it.',
    subject: 'message',
    data: message,
    example: of({
      status: 'suppressed',
      sentAt: null,
      // A reason that exists without audience, too.
      blocked: presentBlocked({ blockedReason: 'test_environment', blockedBy: null }),
      suppressedRecipients: ['ada@example.com'],
    }),
    isTestExample: true,
  },
  'email.cancelled': {
    summary: 'A message was cancelled before it was sent.',
    subject: 'message',
    data: message,
    example: of({ status: 'cancelled', sentAt: null }),
  },
  'email.bounced': {
    summary: 'A message bounced for a recipient after it was sent.',
    subject: 'message',
    countedBy: 'message.bounce.kind',
    data: object({ message: EmailMessage, recipient: email('The recipient whose copy bounced.') }),
    example: {
      ...of({
        status: 'bounced',
        bouncedAt: '2026-11-20T09:31:00.000Z',
        bounce: { kind: 'hard', code: '5.1.1', detail: '550 5.1.1 No such mailbox.' },
      }),
      recipient: 'ada@example.com',
    },
  },
  'email.inbound.received': {
    summary: 'A message was received.',
    subject: 'inbound',
    data: object({ inbound: Inbound }),
    example: { inbound: exampleInbound },
  },
  'email.inbound.refused': {
    summary: 'Mail to a domain of the environment was refused. At most 100 events per hour are written.',
    subject: 'inbound',
    data: object({
      refused: object(
        {
          envelopeFrom: text('The envelope sender; empty for the null sender.'),
          envelopeTo: email('The envelope recipient.'),
          reason: oneOf(
            refusals,
            'unknown_recipient: the address does not receive mail; receiving_off: receiving is turned off for the domain; too_complex: it exceeds the parsing limits; loop: it is in a mail loop.',
          ),
          fix: text('The next step.'),
        },
        { description: 'The mail, and why it was refused.' },
      ),
    }),
    example: {
      refused: {
        envelopeFrom: 'ada@example.org',
        envelopeTo: 'help@example.com',
        reason: 'receiving_off',
        fix: 'Call email.domain.receiving.enable for the domain to receive its mail.',
      },
    },
  },
  'email.inbound.deleted': {
    summary: 'A received message was deleted.',
    subject: 'inbound',
    data: object({ inboundId: uuid('The message that was deleted.') }),
    example: { inboundId: exampleInbound.inboundId },
  },
  'email.sender.changed': {
    summary: 'The default sender changed.',
    subject: 'environment',
    data: object({ sender: Sender }),
    example: { sender: exampleSender },
  },
  'email.template.deleted': {
    summary: 'A template was deleted, or a system template reverted to its built-in content.',
    subject: 'template',
    data: object({ template: Template }),
    example: { template: { ...exampleTemplate, publishedVersion: null } },
  },
  'email.template.draft_saved': {
    summary: 'A template was created, or its draft changed.',
    subject: 'template',
    data: object({ template: Template }),
    example: { template: { ...exampleTemplate, hasDraft: true } },
  },
  'email.template.published': {
    summary: 'The draft of a template was published as its next version.',
    subject: 'template',
    data: object({ template: Template, version: integer('The new version.') }),
    example: { template: exampleTemplate, version: 3 },
  },
});

declare module '#core/kernel/event.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
