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
      envelopeFrom: text('The envelope sender; empty for automatic reports, which do not have one.'),
      envelopeTo: text('The envelope recipient. It determines which environment receives the message.'),
      from: text('The address in the From header. Anyone can forge it: see `spam`.'),
      to: list(text(), 'The addresses in the To header, the first 100.'),
      subject: nullable(text('The subject; null if it has none.')),
      messageId: nullable(text('Its Message-ID header, without angle brackets.')),
      inReplyTo: nullable(
        uuid('The id of the message of yours that it replies to, for email.message.get; null if it is not a reply.'),
      ),
      automatic: boolean(
        'Sent by a program: an out-of-office reply, a report, a mailing list, or a returned message of yours. Never reply to it automatically, because two programs could reply to each other endlessly.',
      ),
      spam: object(
        {
          spf: oneOf(verdicts, 'SPF: whether the envelope sender’s domain allows the server that sent it.'),
          dkim: oneOf(verdicts, 'DKIM: whether the message has a valid signature.'),
          dmarc: oneOf(verdicts, 'DMARC: whether SPF or DKIM proves the From domain, as its owner requires.'),
        },
        {
          description:
            'Whether the sender is authentic. none: nothing is published or signed, or the DNS lookup failed.',
        },
      ),
      bytes: count('The size of the whole message.'),
      attachmentCount: count('The number of attachments.'),
      receivedAt: dateTime('When it arrived.'),
    },
    {
      description: 'A received message.',
      columns: ['inboundId', 'from', 'to', 'subject', 'receivedAt', 'attachmentCount', 'envelopeTo', 'automatic'],
    },
  ),
);
