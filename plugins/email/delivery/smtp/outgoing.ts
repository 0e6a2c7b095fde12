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
  /** Octets, or an ASCII text. */
  readonly raw: Buffer | string;
}

/** The server's answer to a message that it accepted. */
export interface Sent {
  readonly accepted: readonly string[];
  readonly rejectedErrors?: readonly NodemailerError[] | undefined;
  readonly response: string;
}

/** How the submission of a message ended. */
export type Outcome =
  | { readonly sent: Sent }
  /** `isUntried` states that the server has answered nothing to it and has got no octet of its content. */
  | { readonly error: Error; readonly isUntried: boolean }
  /** It was no longer current (MailSource.isCurrent), and nothing of its content was sent. */
  | { readonly withdrawn: true };

/** Messages that are submitted one after another over one connection. */
export interface MailSource {
  /** Takes the next message, perhaps before the one before it is settled. @returns undefined if there is none */
  next(): OutgoingMail | undefined;
  /**
   * Whether the oldest message that is not settled may still be sent. Called right before its envelope is sent, which
   * may have waited for the connection, and right before its content.
   */
  isCurrent?(): boolean;
  /** Called with the outcome of the oldest message that is not settled. */
  settle(outcome: Outcome): void;
}
