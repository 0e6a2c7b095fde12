import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { addressSite } from '#core/kernel/limits/address-group.js';
import type { Services } from '#core/kernel/services.js';
import { recordBounceReport } from '../mail-report.js';
import { mostMessageBytes, senderOf } from '../ingest/request.js';
import { receiveMail } from '../receive.js';
import { collected, NoRoom, TooLarge } from './collect.js';
import type { Accepted } from './recipients.js';
import { clientOf } from './client.js';
import { SmtpReply, tryLater } from './reply.js';

/**
 * Takes a message. When it returns, the message is committed; a sender that never gets the answer sends it again, and
 * it is stored once.
 * @returns the text of the 250 reply
 * @throws SmtpReply 5xx if it must not be sent again, 4xx if it may
 */
export async function takeMessage(
  services: Services,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  accepted: Accepted,
): Promise<string> {
  try {
    const { ip } = clientOf(session);
    const client = { key: addressSite(ip ?? ''), name: 'address' } as const;
    return await collected(stream, client, mostMessageBytes, (raw) => take(services, raw, session, accepted));
  } catch (error) {
    if (error instanceof SmtpReply) throw error;
    if (error instanceof TooLarge) throw new SmtpReply(552, `5.3.4 A message has at most ${mostMessageBytes} bytes`);
    if (error instanceof NoRoom) throw new SmtpReply(452, `4.3.1 ${error.message}, please try again later`);
    // A client that disconnected in the middle of a message gets no reply.
    if (stream.destroyed && !stream.readableEnded) throw tryLater();
    // Also if the database is unavailable: the sender keeps the message.
    services.log.error({ err: error }, 'received mail was not accepted');
    throw tryLater();
  }
}

async function take(
  services: Services,
  raw: Buffer,
  session: SMTPServerSession,
  { environment, recipients, returnPath }: Accepted,
): Promise<string> {
  if (raw.length === 0) throw new SmtpReply(554, '5.6.0 The message is empty');
  const outcome = returnPath === null ? null : await recordBounceReport(services, { envelopeTo: returnPath, raw });
  if (outcome === 'early') throw tryLater();
  if (!environment) return outcome === 'ignored' ? '2.0.0 Accepted, reports nothing' : '2.0.0 Recorded';
  const { mailFrom } = session.envelope;
  const received = await receiveMail(services, {
    environment,
    recipients,
    envelopeFrom: mailFrom ? senderOf(mailFrom.address) : '',
    raw,
    client: clientOf(session),
  });
  if (received.kind === 'no_sender') throw new SmtpReply(554, '5.6.0 The message has no sender');
  if (received.kind === 'refused') {
    const code = received.reason === 'loop' ? '5.4.6' : '5.6.0';
    throw new SmtpReply(554, `${code} The message ${received.problem}`);
  }
  return `2.0.0 Stored as ${received.stored.map(({ inboundId }) => inboundId).join(' ')}`;
}
