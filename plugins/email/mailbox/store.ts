import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { Deployment } from '#core/kernel/deployment.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import type { EnvelopedMail } from '../delivery/transport.js';

/*
 * A message of the local mailbox is one file, `<id>.eml`: a header line of our own that holds the envelope, then the unchanged message.
 * Ids are UUIDv7, so names sort by time.
 */

const envelopeHeader = 'X-Svc-Envelope: ';

const uuid7 = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

/** No dots and no slashes: an id cannot name a file outside the folder. */
const idGrammar = new RegExp(`^${uuid7}$`);

/** A complete message, or one that is still being written. */
const fileGrammar = new RegExp(`^(${uuid7})\\.(eml|tmp)$`);

/** How much of a file a list reads: the envelope and the headers. */
const headBytes = 256 * 1024;

/** Where mail is kept while SVC_SMTP_URL is not set. */
export const mailboxFolder = ({ settings }: Pick<Deployment, 'settings'>): string => join(settings.stateDir, 'mailbox');

/** From and to whom a message was handed over, and when. */
export interface Envelope {
  /** Empty for the null sender. */
  envelopeFrom: string;
  recipients: string[];
  at: Date;
}

export interface ListedMail extends Envelope {
  id: string;
  subject: string;
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
  return Buffer.concat([Buffer.from(`${envelopeHeader}${envelope}\r\n`), raw]);
}

/** The mailbox files in a folder, newest first; none when the folder does not exist. */
export async function filesIn(folder: string): Promise<{ id: string; name: string; complete: boolean }[]> {
  const names = (await readdir(folder).catch(absent)) ?? [];
  return names
    .sort()
    .reverse()
    .flatMap((name) => {
      const [, id, end] = fileGrammar.exec(name) ?? [];
      return id === undefined ? [] : [{ id, name, complete: end === 'eml' }];
    });
}

/**
 * The messages of a mailbox, newest first.
 * @param range.before an id: only older messages
 */
export async function listMailbox(folder: string, range: { limit: number; before?: string }): Promise<ListedMail[]> {
  const { limit, before } = range;
  const files = (await filesIn(folder)).filter(({ id, complete }) => complete && (before === undefined || id < before));
  const read = await Promise.all(
    files.slice(0, limit).map(async ({ id, name }) => storedMail(id, await headOf(join(folder, name)))),
  );
  return read.flatMap((mail) => (mail ? [listed(mail)] : []));
}

/** One message; undefined when the id is not valid or does not exist. */
export async function readMailbox(folder: string, id: string): Promise<StoredMail | undefined> {
  if (!idGrammar.test(id)) return undefined;
  return storedMail(id, await readFile(join(folder, `${id}.eml`)).catch(absent));
}

/** Removes every message that was handed over for an address, including those that a crash left half written. */
export async function eraseFromMailbox(folder: string, email: string): Promise<void> {
  // The envelope is JSON on the first line, so a quoted address is a complete one.
  const address = JSON.stringify(mailboxKey(email));
  for (const { name } of await filesIn(folder)) {
    const head = (await headOf(join(folder, name)))?.toString('latin1') ?? '';
    if (
      head
        .slice(0, head.search(/\r\n|$/))
        .toLowerCase()
        .includes(address)
    )
      await rm(join(folder, name), { force: true });
  }
}

const listed = ({ id, envelopeFrom, recipients, at, email }: StoredMail): ListedMail => ({
  id,
  envelopeFrom,
  recipients,
  at,
  subject: email.subject ?? '',
});

async function headOf(path: string): Promise<Buffer | undefined> {
  const file = await open(path).catch(absent);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const end = buffer.subarray(0, bytesRead).indexOf('\r\n\r\n');
    return buffer.subarray(0, end < 0 ? bytesRead : end + 4);
  } finally {
    await file.close();
  }
}

async function storedMail(id: string, file: Buffer | undefined): Promise<StoredMail | undefined> {
  const end = file?.indexOf('\r\n') ?? -1;
  if (!file || end < 0) return undefined;
  const raw = file.subarray(end + 2);
  // A message that cannot be parsed is still listed, and its source can be shown.
  const email = await PostalMime.parse(raw).catch((): Email => ({ headers: [], headerLines: [], attachments: [] }));
  return { id, ...envelopeOf(file.subarray(0, end).toString('utf8')), raw, email };
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

const absent = (error: unknown): undefined => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
};
