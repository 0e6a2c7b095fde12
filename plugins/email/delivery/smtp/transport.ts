import { isAscii } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import { responsePrinter } from '#core/runtime/smtp/response-printer.js';
import type { DeliveryReport } from '#core/messaging/driver.js';
import type { RelayWatch } from '../relay-watch.js';
import type { EnvelopedMail, MailRun, MailTransport } from '../../transport.js';
import {
  accepted,
  failure,
  invalidAddress,
  isAboutMessage,
  refusals,
  refusalsIn,
  timedOut,
  unanswered,
  type Answer,
} from './answers.js';
import { smtpServer } from './connection.js';
import type { OutgoingMail, Outcome } from './outgoing.js';
import { DeliveryTimedOut, smtpPool } from './pool.js';

export interface SmtpLimits {
  /** The most connections at the same time; further deliveries wait. */
  connections: number;
  connectMs: number;
  greetingMs: number;
  /** How long the server may stay silent while we wait for its answer. */
  silenceMs: number;
  /** How long one delivery may take in total, including the wait for a free connection. */
  deliverMs: number;
  /** See pipelinedTransfer. */
  aheadWithinMs: number;
  /** How long close() waits for running deliveries. */
  closeMs: number;
}

const defaultLimits: SmtpLimits = {
  connections: 8,
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 30_000,
  deliverMs: 90_000,
  aheadWithinMs: 20,
  closeMs: 20_000,
};

/**
 * A pooled SMTP client for one server.
 * @param url smtp://user:password@host:port or smtps://…; its query may set nodemailer's own options, and overrides the
 * defaults here
 * (?maxConnections=20&requireTLS=true&name=mail.example.com&tls.rejectUnauthorized=false)
 * @param limits the limits that differ from the defaults
 * @param watch gets for each delivery attempt whether the server could be used, except for delivery attempts that
 *   closing ends
 * @returns the transport; nothing is connected yet
 * @throws Error if the url is not one of these; the message does not repeat it, since it may contain a password
 */
export function smtpTransport(url: string, limits: Partial<SmtpLimits> = {}, watch?: RelayWatch): MailTransport {
  const { connections, connectMs, greetingMs, silenceMs, deliverMs, aheadWithinMs, closeMs } = {
    ...defaultLimits,
    ...limits,
  };
  const printable = responsePrinter(url);
  const running = new Set<Promise<unknown>>();
  const options = {
    url,
    maxConnections: connections,
    maxMessages: 100,
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const server = smtpServer(options, aheadWithinMs);
  const pool = smtpPool(server, deliverMs);
  let isClosing = false;

  const outgoingOf = (from: string, to: readonly string[], raw: Buffer | string): OutgoingMail => ({
    envelope: {
      from,
      to,
      size: raw.length, // RFC 1870: too large is then answered before the message is sent
      use8BitMime: typeof raw !== 'string' && !isAscii(raw), // RFC 6152
    },
    raw,
  });

  /** @returns the answer for each address. The watch learns of the outcome */
  const answersOf = (to: readonly string[], outcome: Settled): ((address: string) => Answer) => {
    if ('sent' in outcome) {
      const { response, rejectedErrors } = outcome.sent;
      watch?.answered();
      watch?.accepted();
      const refused = refusals(rejectedErrors, printable);
      const taken = new Set(outcome.sent.accepted);
      const sent = accepted(response, printable);
      return (address) => (taken.has(address) ? sent : (refused.get(address) ?? unanswered));
    }
    const { error } = outcome;
    const refused = refusalsIn(error, printable);
    const others = error instanceof DeliveryTimedOut ? timedOut(deliverMs) : failure(error, printable);
    if (isAboutMessage(error)) {
      watch?.answered();
      watch?.refused(to.map((address) => refused.get(address) ?? others));
    } else if (!isClosing) watch?.failed(others.response);
    return (address) => refused.get(address) ?? others;
  };

  const submitEach = (run: MailRun): Promise<void> => {
    const open: Started[] = [];
    return pool.submit({
      next() {
        for (let mail = run.next(); mail; mail = run.next()) {
          const started = startedOf(mail);
          if (!('answerFor' in started)) {
            open.push(started);
            return outgoingOf(started.from, started.valid, mail.raw);
          }
          run.answered(mail, reportOf(started, started.answerFor));
        }
        return undefined;
      },
      isCurrent: () => run.isCurrent?.() ?? true,
      settle(outcome) {
        const started = open.shift();
        if (!started) return;
        run.answered(
          started.mail,
          'withdrawn' in outcome ? null : reportOf(started, answersOf(started.valid, outcome)),
        );
      },
    });
  };

  const track = <T>(delivery: Promise<T>): Promise<T> => {
    const tracked = delivery.finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  };

  return {
    deliver: (mail) =>
      track(
        new Promise((resolve, reject) => {
          const startedAt = performance.now();
          let next: EnvelopedMail | undefined = mail;
          const run: MailRun = {
            next() {
              const taken = next;
              next = undefined;
              return taken;
            },
            // The wait for a connection counts.
            answered: (_, report) =>
              report && resolve({ ...report, durationMs: Math.round(performance.now() - startedAt) }),
          };
          submitEach(run).catch(reject);
        }),
      ),
    deliverEach: (run) => track(submitEach(run)),
    close: async () => {
      isClosing = true;
      pool.close();
      await Promise.race([Promise.allSettled(running), pause(closeMs, undefined, { ref: false })]);
      pool.abort();
      await Promise.allSettled(running);
    },
    verify: async () => {
      await server.verify().catch((error: unknown) => {
        throw new Error(failure(error, printable).response);
      });
    },
  };
}

type Settled = Exclude<Outcome, { withdrawn: true }>;

/** A message whose addresses are parsed. */
interface Started {
  readonly mail: EnvelopedMail;
  readonly startedAt: number;
  readonly from: string;
  /** Each address once. */
  readonly valid: readonly string[];
  readonly parsed: readonly { readonly address: string; readonly mailbox: ReturnType<typeof parseAddress> }[];
}

/** @returns `answerFor` if no server can be asked */
function startedOf(mail: EnvelopedMail): Started | (Started & { readonly answerFor: () => Answer }) {
  const { envelopeFrom, recipients } = mail;
  const sender = envelopeFrom === '' ? ({ ok: true, address: '' } as const) : parseAddress(envelopeFrom);
  const parsed = recipients.map((address) => ({ address, mailbox: parseAddress(address) }));
  const valid = [...new Set(parsed.flatMap((each) => (each.mailbox.ok ? [each.mailbox.address] : [])))];
  const started = { mail, startedAt: performance.now(), from: sender.ok ? sender.address : '', valid, parsed };
  if (!sender.ok) return { ...started, answerFor: () => invalidAddress('sender', sender.problem) };
  return valid.length === 0 ? { ...started, answerFor: () => unanswered } : started;
}

const reportOf = ({ startedAt, parsed }: Started, answerFor: (address: string) => Answer): DeliveryReport => ({
  durationMs: Math.round(performance.now() - startedAt),
  recipients: parsed.map(({ address, mailbox }) => ({
    address,
    ...(mailbox.ok ? answerFor(mailbox.address) : invalidAddress('recipient', mailbox.problem)),
  })),
});
