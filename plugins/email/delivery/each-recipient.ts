import type { DeliveryReport } from '#core/messaging/channel.js';
import { unanswered } from './smtp/answers.js';
import type { MailTransport } from '../transport.js';

/** One recipient's envelope. */
export interface RecipientEnvelope {
  readonly envelopeFrom: string;
  readonly address: string;
}

/** Connections that one message uses at the same time. */
const atOnce = 4;

/**
 * Hands a message over in a separate transaction for each recipient, so that each has its own return path (RFC 5321
 * §3.3: a transaction has one reverse-path). The octets are the same for all.
 *
 * If none of several transactions was answered, the remaining recipients are not tried: a server that hangs would
 * otherwise keep the message busy for a time-out per recipient.
 */
export async function deliverEach(
  transport: Pick<MailTransport, 'deliver'>,
  envelopes: readonly RecipientEnvelope[],
  raw: Buffer,
): Promise<DeliveryReport> {
  const startedAt = performance.now();
  const recipients: DeliveryReport['recipients'][number][] = [];
  for (let from = 0; from < envelopes.length; from += atOnce) {
    const reports = await Promise.all(
      envelopes
        .slice(from, from + atOnce)
        .map(({ envelopeFrom, address }) => transport.deliver({ envelopeFrom, recipients: [address], raw })),
    );
    const answers = reports.flatMap((report) => report.recipients);
    recipients.push(...answers);
    if (answers.every(({ outcome, code }) => outcome === 'temporary' && code === null)) break;
  }
  const untried = envelopes.slice(recipients.length).map(({ address }) => ({ address, ...unanswered }));
  return { durationMs: Math.round(performance.now() - startedAt), recipients: [...recipients, ...untried] };
}
