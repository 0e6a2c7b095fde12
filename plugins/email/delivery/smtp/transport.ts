import { isAscii } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import { responsePrinter } from '#core/runtime/smtp/response-printer.js';
import type { DeliveryReport } from '#core/messaging/driver.js';
import type { RelayWatch } from '../relay-watch.js';
import type { EnvelopedMail, MailTransport } from '../../transport.js';
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
  /** How long close() waits for running deliveries. */
  closeMs: number;
}

const defaultLimits: SmtpLimits = {
  connections: 8,
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 30_000,
  deliverMs: 90_000,
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
  const { connections, connectMs, greetingMs, silenceMs, deliverMs, closeMs } = { ...defaultLimits, ...limits };
  const printable = responsePrinter(url);
  const running = new Set<Promise<unknown>>();
  const server = smtpServer({
    url,
    maxConnections: connections,
    maxMessages: 100,
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const pool = smtpPool(server, deliverMs);
  let isClosing = false;

  const send = async (from: string, to: string[], raw: Buffer): Promise<(address: string) => Answer> => {
    try {
      const info = await pool.send({
        envelope: {
          from,
          to,
          size: raw.length, // RFC 1870: too large is then answered before the message is sent
          use8BitMime: !isAscii(raw), // RFC 6152
        },
        raw,
      });
      watch?.answered();
      watch?.accepted();
      const refused = refusals(info.rejectedErrors, printable);
      const taken = new Set(info.accepted);
      const sent = accepted(info.response, printable);
      return (address) => (taken.has(address) ? sent : (refused.get(address) ?? unanswered));
    } catch (error) {
      const refused = refusalsIn(error, printable);
      const others = error instanceof DeliveryTimedOut ? timedOut(deliverMs) : failure(error, printable);
      if (isAboutMessage(error)) {
        watch?.answered();
        watch?.refused(to.map((address) => refused.get(address) ?? others));
      } else if (!isClosing) watch?.failed(others.response);
      return (address) => refused.get(address) ?? others;
    }
  };

  const deliver = async ({ envelopeFrom, recipients, raw }: EnvelopedMail): Promise<DeliveryReport> => {
    const startedAt = performance.now();
    const sender = envelopeFrom === '' ? ({ ok: true, address: '' } as const) : parseAddress(envelopeFrom);
    const parsed = recipients.map((address) => ({ address, mailbox: parseAddress(address) }));
    const valid = [...new Set(parsed.flatMap((each) => (each.mailbox.ok ? [each.mailbox.address] : [])))];
    const answerFor = !sender.ok
      ? () => invalidAddress('sender', sender.problem)
      : valid.length === 0
        ? () => unanswered
        : await send(sender.address, valid, raw);
    return {
      durationMs: Math.round(performance.now() - startedAt),
      recipients: parsed.map((each) => ({
        address: each.address,
        ...(each.mailbox.ok ? answerFor(each.mailbox.address) : invalidAddress('recipient', each.mailbox.problem)),
      })),
    };
  };

  return {
    deliver: (mail) => {
      const delivery = deliver(mail).finally(() => running.delete(delivery));
      running.add(delivery);
      return delivery;
    },
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
