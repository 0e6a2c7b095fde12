import type { MailReport } from '../../bounces/parse.js';
import type { Refusal } from '../resources.js';

export interface ParsedAttachment {
  attachmentId: string;
  filename: string;
  contentType: string;
  content: Uint8Array<ArrayBuffer>;
}

/** The content of a received message. Every text is well-formed Unicode without NUL. */
export interface ParsedMail {
  /** By lower-case name, decoded (RFC 2047); repeated ones joined by line breaks. */
  headers: Record<string, string>;
  /** The first address in From; null if there is none. */
  from: string | null;
  /** The addresses in To, the first 100. */
  to: string[];
  /** Of From, Sender and Reply-To. */
  senders: string[];
  /** Of To and Cc, the first 200. */
  named: string[];
  subject: string | null;
  /** Without angle brackets. */
  messageId: string | null;
  /** The parts before the @ of the message ids that it claims to answer, the nearest first. */
  answered: string[];
  /** At most 1 MiB; the whole of a longer text is an attachment. */
  text: string | null;
  /** The same, sanitised. */
  html: string | null;
  attachments: ParsedAttachment[];
  /** Whether its headers indicate that a program sent it. */
  automatic: boolean;
  /** The addresses in all From headers, which DMARC needs; ten at most. */
  authors: string[];
  /** Whether it has a DKIM signature. */
  isSigned: boolean;
  /** The DNS names of the keys of its first ten DKIM signatures. */
  signingKeys: string[];
}

export interface SubmittedAttachment {
  filename: string;
  contentType: string;
  /** The name in `cid:` links of the HTML; null if it has none. */
  contentId: string | null;
  content: Uint8Array<ArrayBuffer>;
}

interface SubmittedMailbox {
  address: string;
  name: string | null;
}

/** A message that a program submitted. Every text is well-formed Unicode without NUL. */
export interface SubmittedMail {
  from: SubmittedMailbox | null;
  to: SubmittedMailbox[];
  cc: SubmittedMailbox[];
  replyTo: SubmittedMailbox[];
  /** Null if there is none. */
  subject: string | null;
  /** Without angle brackets; null if there is none that is valid. */
  messageId: string | null;
  /** In-Reply-To and References. */
  thread: { 'In-Reply-To'?: string; References?: string };
  /** X-* and List-*. */
  headers: Record<string, string>;
  /** The fields of svc, by lower-case name: X-Svc-* and Idempotency-Key. */
  own: Readonly<Record<string, string | undefined>>;
  text: string | null;
  html: string | null;
  attachments: SubmittedAttachment[];
  /** The content as it was, with its Content-* headers, if text, HTML and attachments cannot express it. */
  entity: Uint8Array<ArrayBuffer> | null;
}

/** A message that is not accepted, and the reason, as the end of a sentence about it. */
export interface UnparsedMail {
  refusal: Extract<Refusal, 'too_complex' | 'loop'>;
  problem: string;
}

/** The result of checking a message's signatures. */
export interface VerifiedSignatures {
  /** False if no signature could be checked because of DNS failures. */
  decided: boolean;
  valid: { domain: string; aligned: boolean; underSized: boolean }[];
  /** The domains of the signatures whose key could not be read because of a DNS failure. */
  unread: string[];
}

/** TXT records by name, or the code of the failed lookup. */
export type KeyRecords = Readonly<Record<string, { strings: string[][] } | { code: string }>>;

/** The thread's task. */
export type MailJob = { raw: Uint8Array } & (
  { kind: 'parse' | 'report' | 'submitted' } | { kind: 'verify'; keys: KeyRecords }
);
export type MailAnswer =
  | { kind: 'parsed'; mail: ParsedMail }
  | { kind: 'submitted'; mail: SubmittedMail }
  | ({ kind: 'refused' } & UnparsedMail)
  | ({ kind: 'verified' } & VerifiedSignatures)
  | { kind: 'report'; report: MailReport | null }
  /** The code failed. */
  | { kind: 'failed'; problem: string };
