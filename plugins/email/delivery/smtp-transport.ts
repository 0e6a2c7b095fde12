import { isAscii } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport, type NodemailerError } from 'nodemailer';
import { parseAddress } from '#core/kernel/schema/email-address.js';

export interface EnvelopedMail {
  /** Where bounces go; empty for the null sender (RFC 5321 4.5.5). */
  envelopeFrom: string;
  recipients: string[];
  raw: Buffer;
}

export interface RecipientReport {
  address: string;
  /** temporary: worth another try of the same message; permanent: it would end the same way. */
  outcome: 'sent' | 'temporary' | 'permanent';
  /** The server's reply code, null when it gave none. */
  smtpCode: number | null;
  response: string;
}

export interface DeliveryReport {
  durationMs: number;
  /** One for each recipient asked for, in that order. */
  recipients: RecipientReport[];
}

export interface MailTransport {
  /** Hands one message to the server, once. Never throws: what went wrong stands in the report. */
  deliver(mail: EnvelopedMail): Promise<DeliveryReport>;
  /** Takes no more mail, lets what is under way finish for a while, then cuts it off (reported as temporary). */
  close(): Promise<void>;
  /** @throws Error saying why the server cannot be used: unreachable, no TLS, login refused */
  verify(): Promise<void>;
}

export interface SmtpLimits {
  /** Connections at once, at most; deliveries beyond them wait. */
  connections: number;
  connectMs: number;
  greetingMs: number;
  /** How long the server may stay silent while it owes an answer. */
  silenceMs: number;
  /** How long one delivery may take in all, waiting for a free connection included. */
  deliverMs: number;
  /** How long close() waits for what is under way. */
  closeMs: number;
}

const usualLimits: SmtpLimits = {
  connections: 8,
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 30_000,
  deliverMs: 90_000,
  closeMs: 20_000,
};

const RESPONSE_CHARACTERS = 500;

type Answer = Omit<RecipientReport, 'address'>;

/**
 * A pooled SMTP client for one server.
 * @param url smtp://user:password@host:port or smtps://…; its query may set nodemailer's own options, and wins over
 *   the defaults here (?maxConnections=20&requireTLS=true&name=mail.example.com&tls.rejectUnauthorized=false)
 * @param limits where they differ from the usual ones
 * @returns the transport; nothing is connected yet
 * @throws Error when the url is none of these; the message does not repeat it, since it may hold a password
 */
export const smtpTransport = (url: string, limits: Partial<SmtpLimits> = {}): MailTransport => {
  const within = { ...usualLimits, ...limits };
  const printable = printer(secretsOf(url));
  const underWay = new Set<Promise<unknown>>();
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: within.connections,
    maxMessages: 100,
    connectionTimeout: within.connectMs,
    greetingTimeout: within.greetingMs,
    socketTimeout: within.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // An 'error' event without a listener ends the process; every failure reaches its own delivery as well.
  pool.on('error', () => undefined);

  const send = async (from: string, to: string[], raw: Buffer): Promise<(address: string) => Answer> => {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), within.deliverMs);
    try {
      const info = await pool.sendMail({
        envelope: {
          from: from === '' ? false : mailbox(from),
          to: to.map(mailbox),
          size: raw.length, // RFC 1870: too large is then answered before the message is sent
          use8BitMime: !isAscii(raw), // RFC 6152
        },
        raw,
        signal: giveUp.signal,
      });
      const refused = refusals(info.rejectedErrors, printable);
      const accepted = new Set(info.accepted);
      const sent: Answer = { outcome: 'sent', smtpCode: replyCode(info.response), response: printable(info.response) };
      return (address) => (accepted.has(address) ? sent : (refused.get(address) ?? unanswered));
    } catch (error) {
      const refused = isMailError(error) ? refusals(error.rejectedErrors, printable) : new Map<string, Answer>();
      const all = giveUp.signal.aborted ? tooSlow(within.deliverMs) : failure(error, printable);
      return (address) => refused.get(address) ?? all;
    } finally {
      clearTimeout(timer);
    }
  };

  const deliver = async ({ envelopeFrom, recipients, raw }: EnvelopedMail): Promise<DeliveryReport> => {
    const startedAt = performance.now();
    const sender = envelopeFrom === '' ? ({ ok: true, address: '' } as const) : parseAddress(envelopeFrom);
    const parsed = recipients.map((address) => ({ address, mailbox: parseAddress(address) }));
    const reachable = [...new Set(parsed.flatMap(({ mailbox }) => (mailbox.ok ? [mailbox.address] : [])))];
    const answerFor = !sender.ok
      ? () => unusable('sender', sender.problem)
      : reachable.length === 0
        ? () => unanswered
        : await send(sender.address, reachable, raw);
    return {
      durationMs: Math.round(performance.now() - startedAt),
      recipients: parsed.map(({ address, mailbox }) => ({
        address,
        ...(mailbox.ok ? answerFor(mailbox.address) : unusable('recipient', mailbox.problem)),
      })),
    };
  };

  return {
    deliver: (mail) => {
      const delivery = deliver(mail).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
      return delivery;
    },
    close: async () => {
      pool.close();
      await Promise.race([Promise.allSettled(underWay), pause(within.closeMs, undefined, { ref: false })]);
      pool.close({ force: true });
      await Promise.allSettled(underWay);
    },
    verify: async () => {
      await pool.verify().catch((error: unknown) => {
        throw new Error(failure(error, printable).response);
      });
    },
  };
};

// An object, never a string: of a string nodemailer would make a list or a group, see composeMessage.
const mailbox = (address: string): { name: string; address: string } => ({ name: '', address });

const unusable = (whose: string, problem: string): Answer => ({
  outcome: 'permanent',
  smtpCode: null,
  response: `The ${whose} address ${problem}.`,
});

const unanswered: Answer = { outcome: 'temporary', smtpCode: null, response: 'The server did not answer for it.' };

const tooSlow = (ms: number): Answer => ({
  outcome: 'temporary',
  smtpCode: null,
  response: `The delivery was not finished within ${ms / 1000} s.`,
});

// All that nodemailer adds to Error is optional, so any error is one of its own.
const isMailError = (error: unknown): error is NodemailerError => error instanceof Error;

const refusals = (
  errors: NodemailerError[] | undefined,
  printable: (text: string) => string,
): ReadonlyMap<string, Answer> =>
  new Map((errors ?? []).map((error) => [error.recipient ?? '', failure(error, printable)]));

const failure = (error: unknown, printable: (text: string) => string): Answer => {
  if (!isMailError(error)) return { ...unanswered, response: printable(String(error)) };
  const said = error.response ?? error.message;
  const outcome = isPermanent(error) ? 'permanent' : 'temporary';
  return { outcome, smtpCode: error.responseCode ?? null, response: printable(`${between(error)}${said}`) };
};

// Only the answers to these speak of the message. Whatever goes wrong earlier (connecting, a 554 greeting, TLS, login)
// is between the server and us, the operator can mend it, and no recipient is to blame.
const aboutTheMessage = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

// 5yz answers that are still about our session: RFC 5321 4.2.3 (503), RFC 4954 4 and 6 (530, 534, 535, 538).
const aboutTheSession = new Set([503, 530, 534, 535, 538]);

const isPermanent = (error: NodemailerError): boolean => {
  if (!aboutTheMessage.has(error.command ?? '')) return false;
  const code = error.responseCode;
  // Larger than the limit the server announced (RFC 1870 6.1): nodemailer did not even ask.
  if (code === undefined) return error.code === 'EMESSAGE';
  // RFC 5321 4.5.3.1.10: 552 at RCPT may be an old way to say "too many recipients in one go".
  if (code === 552 && error.command === 'RCPT TO' && /5\.5\.3|too many/i.test(error.response ?? '')) return false;
  return code >= 500 && code < 600 && !aboutTheSession.has(code);
};

const between = (error: NodemailerError): string => {
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH') return 'The mail server refused our login: ';
  return error.code === 'ETLS' ? 'No secure connection to the mail server: ' : '';
};

const replyCode = (response: string): number | null => {
  const code = /^\d{3}/.exec(response)?.[0];
  return code === undefined ? null : Number(code);
};

const secretsOf = (url: string): string[] => {
  if (!URL.canParse(url) || !/^smtps?:\/\/[^/?#]/i.test(url)) {
    throw new Error('The mail server must be given as smtp://user:password@host:port, or smtps:// for TLS at once.');
  }
  const { username, password } = new URL(url);
  const [user, secret] = [decoded(username), decoded(password)];
  // A server may echo a login as it was sent: RFC 4616 (PLAIN), or one line of AUTH LOGIN.
  const sent =
    secret === '' ? [] : [secret, `\0${user}\0${secret}`].map((text) => Buffer.from(text).toString('base64'));
  return [password, secret, ...sent].filter((text) => text !== '');
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

// What a server says is stored and shown: one line, of bounded length, and never the password.
const printer =
  (secrets: string[]) =>
  (text: string): string =>
    secrets
      .toSorted((a, b) => b.length - a.length)
      .reduce((shown, secret) => shown.replaceAll(secret, '[password]'), text)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .slice(0, RESPONSE_CHARACTERS)
      .trim();
