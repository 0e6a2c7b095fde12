import type { DeliveryReport } from '#core/messaging/driver.js';

/** A message with its envelope (RFC 5321 §2.3.1). */
export interface EnvelopedMail {
  /** Where bounces are sent; empty for the null sender (RFC 5321 §4.5.5). */
  readonly envelopeFrom: string;
  readonly recipients: readonly string[];
  /** Octets, or an ASCII text. */
  readonly raw: Buffer | string;
}

/** Messages that are submitted one after another. */
export interface MailRun {
  /** Takes the next message, perhaps before the one before it is answered. @returns undefined if there is none */
  next(): EnvelopedMail | undefined;
  /** Whether the oldest message without an answer may still leave. Called right before parts of it are sent. */
  isCurrent?(): boolean;
  /** Called once for each message that was taken. @param report null if it was no longer current, and was not sent */
  answered(mail: EnvelopedMail, report: DeliveryReport | null): void;
}

/** The destination of delivery attempts: a mail server, or the local mailbox. */
export interface MailTransport {
  /** Submits one message, once. Never throws: failures are in the report. */
  deliver(mail: EnvelopedMail): Promise<DeliveryReport>;
  /**
   * Submits messages one after another over one connection. It may end before the messages do, for example because the
   * connection has carried enough of them. Absent if nothing is gained by it.
   */
  deliverEach?(run: MailRun): Promise<void>;
  /** Accepts no more mail, waits a while for running deliveries, then aborts them (reported as temporary failures). */
  close(): Promise<void>;
  /** @throws Error stating why mail cannot be submitted: unreachable, no TLS, login refused, folder not writable */
  verify(): Promise<void>;
}
