import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address, Email } from 'postal-mime';
import type { Deployment } from '#core/kernel/deployment.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import {
  beginningOf,
  clearKept,
  filesIn,
  idsIn as idsInFolder,
  pathOf,
  readKept,
  removeKept,
  type KeptFiles,
} from '#core/runtime/kept-files.js';
import type { EnvelopedMail } from '../transport.js';
import { messageIdOf } from './message-id.js';
import { parseMail, withLines } from './parse.js';

/*
 * A message of the local mailbox is one file, `<id>.eml`: our own header line with the envelope, then the unchanged
 * message. Ids are UUIDv7, so names sort by time.
 */

const envelopeHeader = 'X-Svc-Envelope: ';

/** How many messages are kept; older ones are removed. */
export const keptMessages = 500;

/** How much of a file to read for listing and searching. It covers the longest envelope and headers. */
const beginningBytes = 256 * 1024;

/**
 * How many lines of a body to search. Text comes before attachments. Searching whole bodies would take minutes in a
 * mailbox of long mails.
 */
const searchedLines = 400;

/** The files of a mailbox's folder. */
export const mailFiles = (folder: string): KeptFiles => ({ folder, extension: 'eml', most: keptMessages });

/** The folder for mail while SVC_SMTP_URL is not set. */
export const mailboxFolder = ({ settings }: Pick<Deployment, 'settings'>): string => join(settings.stateDir, 'mailbox');

/** The SMTP envelope of a message, and the time it was submitted. */
export interface Envelope {
  /** Empty for the null sender. */
  envelopeFrom: string;
  recipients: string[];
  at: Date;
}

export interface ListedMail extends Envelope {
  id: string;
  /** The id of the message; null for mail that svc did not write. */
  messageId: string | null;
  subject: string;
  /** Recipients that no header names. */
  bcc: string[];
  hasAttachments: boolean;
}

export interface StoredMail extends Envelope {
  id: string;
  /** The message as a mail server would have received it. */
  raw: Buffer;
  email: Email;
}

/** The content of a message's file. */
export function fileOf({ envelopeFrom, recipients, raw }: EnvelopedMail, at: Date): Buffer {
  const envelope = JSON.stringify({ envelopeFrom, recipients, at: at.toISOString() });
  return Buffer.concat([
    Buffer.from(`${envelopeHeader}${envelope}\r\n`),
    typeof raw === 'string' ? Buffer.from(raw, 'latin1') : raw,
  ]);
}

interface MailRange {
  limit: number;
  /** An id: only older messages. */
  before?: string | undefined;
  /** Only messages that contain all of these words: in subject, addresses, or the first 400 lines of the body. */
  words?: readonly string[] | undefined;
}

/** The messages of a mailbox, newest first. */
export async function listMailbox(folder: string, { limit, before, words = [] }: MailRange): Promise<ListedMail[]> {
  const found: ListedMail[] = [];
  for (const id of await idsIn(folder)) {
    if (found.length >= limit) break;
    if (before !== undefined && id >= before) continue;
    const beginning = await beginningOf(pathOf(mailFiles(folder), id) ?? '', beginningBytes);
    const mail = await storedMail(id, beginning && withLines(beginning, words.length > 0 ? searchedLines : 0));
    if (mail && contains(mail, words)) found.push(listed(mail));
  }
  return found;
}

/** The ids of complete messages, newest first. */
export const idsIn = (folder: string): Promise<string[]> => idsInFolder(mailFiles(folder));

/** One message; undefined if the id is not valid or does not exist. */
export const readMailbox = async (folder: string, id: string): Promise<StoredMail | undefined> =>
  storedMail(id, await readKept(mailFiles(folder), id));

/** Removes one message; nothing happens if the id is not valid or does not exist. */
export const removeMail = (folder: string, id: string): Promise<void> => removeKept(mailFiles(folder), id);

/** Removes every message that is there now. */
export const clearMailbox = (folder: string): Promise<void> => clearKept(mailFiles(folder));

/** Removes every message that was submitted for an address, including files that a crash left incomplete. */
export async function eraseFromMailbox(folder: string, email: string): Promise<void> {
  // The envelope is JSON on the first line, so a quoted address is complete.
  const address = JSON.stringify(mailboxKey(email));
  for (const { name } of await filesIn(mailFiles(folder))) {
    const head = (await beginningOf(join(folder, name), beginningBytes))?.toString('latin1') ?? '';
    if (
      head
        .slice(0, head.search(/\r\n|$/))
        .toLowerCase()
        .includes(address)
    )
      await rm(join(folder, name), { force: true });
  }
}

const listed = (mail: StoredMail): ListedMail => {
  const { id, envelopeFrom, recipients, at, email } = mail;
  return {
    id,
    messageId: messageIdOf(email),
    envelopeFrom,
    recipients,
    at,
    subject: email.subject ?? '',
    bcc: bccOf(mail),
    // Files are parts next to the text; images inside the HTML are a multipart/related.
    hasAttachments: email.headers.some(
      ({ key, value }) => key === 'content-type' && /^multipart\/mixed\b/i.test(value.trim()),
    ),
  };
};

/** The recipients that neither To nor Cc names: bcc, which is only in the envelope. */
export function bccOf({ recipients, email: { to = [], cc = [] } }: Pick<StoredMail, 'recipients' | 'email'>): string[] {
  const members = (each: Address): Address[] => each.group ?? [each];
  const named = new Set([...to, ...cc].flatMap(members).map(({ address = '' }) => mailboxKey(address)));
  return recipients.filter((address) => !named.has(mailboxKey(address)));
}

function contains({ recipients, email }: StoredMail, words: readonly string[]): boolean {
  const { from, subject, text, html } = email;
  const haystack = [subject, from?.name, from?.address, ...recipients, text, html?.replace(/<[^<>]*>/g, ' ')]
    .join('\n')
    .toLowerCase();
  return words.every((word) => haystack.includes(word.toLowerCase()));
}

async function storedMail(id: string, file: Buffer | undefined): Promise<StoredMail | undefined> {
  const end = file?.indexOf('\r\n') ?? -1;
  if (!file || end < 0) return undefined;
  const raw = file.subarray(end + 2);
  return { id, ...envelopeOf(file.subarray(0, end).toString('utf8')), raw, email: await parseMail(raw) };
}

function envelopeOf(line: string): Envelope {
  const kept: unknown = JSON.parse(line.slice(envelopeHeader.length));
  const field = (name: string): unknown => (typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : null);
  const recipients = field('recipients');
  return {
    envelopeFrom: String(field('envelopeFrom')),
    recipients: Array.isArray(recipients) ? recipients.map(String) : [],
    at: new Date(String(field('at'))),
  };
}
