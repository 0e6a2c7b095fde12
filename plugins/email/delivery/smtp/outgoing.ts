import type { NodemailerError } from 'nodemailer';

/** The envelope of a message (RFC 5321 §2.3.1), with checked addresses. */
interface MailEnvelope {
  /** Empty for the null sender. */
  readonly from: string;
  readonly to: readonly string[];
  /** Octets of the message (RFC 1870). */
  readonly size: number;
  /** The message has octets outside ASCII (RFC 6152). */
  readonly use8BitMime: boolean;
}

export interface OutgoingMail {
  readonly envelope: MailEnvelope;
  readonly raw: Buffer;
}

/** The server's answer to a message that it accepted. */
export interface Sent {
  readonly accepted: readonly string[];
  readonly rejectedErrors?: readonly NodemailerError[] | undefined;
  readonly response: string;
}
