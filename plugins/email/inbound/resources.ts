import {
  boolean,
  count,
  dateTime,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from '#core/kernel/schema/schema.js';
import { verdicts } from '../tables/inbound.js';

/** Why mail is refused. */
export const refusals = ['unknown_recipient', 'receiving_off', 'too_complex', 'loop'] as const;
export type Refusal = (typeof refusals)[number];

export const Inbound = named(
  'Inbound',
  object(
    {
      inboundId: uuid('Its id.'),
      envelopeFrom: text('The sender’s address in the envelope; empty for automatic reports, which have none.'),
      envelopeTo: text('The address that it was delivered to. It decides which environment gets the message.'),
      from: text('The address in the From header. Anybody can write anything there: see `spam`.'),
      to: list(text(), 'The addresses in the To header, the first 100.'),
      subject: nullable(text('The subject; null without one.')),
      messageId: nullable(text('Its Message-ID header, without angle brackets.')),
      inReplyTo: nullable(
        uuid('The message of yours that it answers, for email.message.get; null when it answers none.'),
      ),
      automatic: boolean(
        'Sent by a program: an out-of-office reply, a report, a mailing list, or a message of yours that came back. Never answer it automatically: two programs would answer each other without end.',
      ),
      spam: object(
        {
          spf: oneOf(verdicts, 'Whether the envelope sender’s domain allows the server that it came from.'),
          dkim: oneOf(verdicts, 'Whether a signature of the message is valid.'),
          dmarc: oneOf(verdicts, 'Whether the domain in From is proven by one of the two, as its owner asks for.'),
        },
        {
          description:
            'Whether it is from whom it says. none: nothing is published or signed, or DNS could not be asked.',
        },
      ),
      bytes: count('The size of the whole message.'),
      attachmentCount: count('How many attachments it has.'),
      receivedAt: dateTime('When it arrived.'),
    },
    {
      description: 'A received message.',
      columns: ['inboundId', 'from', 'to', 'subject', 'receivedAt', 'attachmentCount', 'envelopeTo', 'automatic'],
    },
  ),
);
