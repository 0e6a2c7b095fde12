import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import type { Services } from '#core/kernel/services.js';
import { turnsOf } from '#core/kernel/caller/share.js';
import { newId } from '#core/runtime/id.js';
import { at, parseJson } from '#core/runtime/json.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { parseSubmittedInThread } from '../inbound/parse/mail-pool.js';
import type { SubmittedMail } from '../inbound/parse/parsed.js';
import { collected } from '../inbound/smtp/collect.js';
import { SmtpReply, tryLater } from '../inbound/smtp/reply.js';
import { clientOf } from '../inbound/smtp/client.js';
import type { Login } from './login.js';
import { fieldsOf } from './fields.js';
import { submissionOf } from './operation.js';
import { knownReply } from './reply-of.js';

/**
 * The largest message: attachments of 10 MiB in base64 with line breaks, and texts of 2 MiB as quoted-printable. Larger
 * ones are refused when they are announced.
 */
export const mostSubmissionBytes = 20 * 1024 * 1024;

/**
 * Takes a submitted message. When it returns, the message is committed.
 * @param envelope the recipients, as `parseAddress` returns them
 * @returns the text of the 250 reply: the message's id, or the ids if it became several
 * @throws SmtpReply 5xx if it must not be sent again, 4xx if it may
 */
export async function takeSubmission(
  services: Services,
  stream: SMTPServerDataStream,
  { session, login, envelope }: { session: SMTPServerSession; login: Login; envelope: readonly string[] },
): Promise<string> {
  try {
    const client = { key: `account ${login.caller.environment.accountId}`, name: 'account' } as const;
    return await collected(stream, client, mostSubmissionBytes, (raw) =>
      submit(services, raw, { session, login, envelope }),
    );
  } catch (error) {
    const known = knownReply(error, mostSubmissionBytes);
    if (known) throw known;
    // A client that disconnected in the middle of a message gets no reply.
    if (stream.destroyed && !stream.readableEnded) throw tryLater();
    // Also if the database is unavailable: the program keeps the message.
    services.log.error({ err: error }, 'a submitted message was not accepted');
    throw tryLater();
  }
}

async function submit(
  services: Services,
  raw: Buffer,
  { session, login, envelope }: { session: SMTPServerSession; login: Login; envelope: readonly string[] },
): Promise<string> {
  if (raw.length === 0) throw new SmtpReply(554, '5.6.0 The message is empty');
  const mail = await parseSubmittedInThread(turnsOf(login.caller.environment), raw);
  if ('refusal' in mail)
    throw new SmtpReply(554, `${mail.refusal === 'loop' ? '5.4.6' : '5.6.0'} The message ${mail.problem}`);
  const { ip, helo } = clientOf(session);
  const client = { user: login.user, program: helo?.slice(0, 100) ?? null, address: ip ?? '' };
  const answer = await services.call({
    operation: submissionOf({ mail, envelope, client }),
    input: fieldsOf(mail),
    bearer: login.key,
    environmentId: undefined,
    idempotencyKey: repeatKey(mail, envelope),
    request: { requestId: newId(), ip: ip ?? '', userAgent: helo, origin: null },
  });
  const ids = at(parseJson(answer.body), 'result', 'messageIds');
  return `2.0.0 ${Array.isArray(ids) ? ids.join(' ') : ''}`;
}

/**
 * The Idempotency-Key of a message: a program that did not hear the 250 sends it again. The recipients belong to it,
 * because a mail server may send one message to each of its recipients.
 * @returns undefined for a message that has neither an Idempotency-Key nor a valid Message-ID
 */
function repeatKey({ own, messageId }: SubmittedMail, envelope: readonly string[]): string | undefined {
  const given = own['idempotency-key'];
  if (given === undefined && messageId === null) return undefined;
  const recipients = [...new Set(envelope.map(mailboxKey))].sort();
  const parts = [given === undefined ? 'message-id' : 'key', given ?? messageId, ...recipients];
  return `smtp-${sha256(JSON.stringify(parts)).toString('hex')}`;
}
