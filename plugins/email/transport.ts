import type { DeliveryReport } from '#core/messaging/driver.js';

/** A message with its envelope (RFC 5321 §2.3.1). */
export interface EnvelopedMail {
  /** Where bounces are sent; empty for the null sender (RFC 5321 §4.5.5). */
  envelopeFrom: string;
  recipients: string[];
  raw: Buffer;
}

/** The destination of delivery attempts: a mail server, or the local mailbox. */
export interface MailTransport {
  /** Submits one message, once. Never throws: failures are in the report. */
  deliver(mail: EnvelopedMail): Promise<DeliveryReport>;
  /** Accepts no more mail, waits a while for running deliveries, then aborts them (reported as temporary failures). */
  close(): Promise<void>;
  /** @throws Error stating why mail cannot be submitted: unreachable, no TLS, login refused, folder not writable */
  verify(): Promise<void>;
}
