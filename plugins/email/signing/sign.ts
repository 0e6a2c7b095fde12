import { createHash, sign, type KeyObject } from 'node:crypto';
import { relaxedBody, relaxedField, splitMessage, type Field } from './canonical.js';

/** A key that a message is signed with. */
export interface SigningKey {
  /** The signing domain (d=). */
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: 'rsa' | 'ed25519';
  readonly key: KeyObject;
}

/**
 * The fields that a signature covers. Each is named once more than it occurs, so that an added field breaks the
 * signature (RFC 6376 §8.15): verifiers read from the last field up, and mail programs show the first.
 */
const signedFields = [
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'list-id',
  'list-help',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
];

/**
 * Signs a message (DKIM, RFC 6376 and RFC 8463), in the canonical form relaxed/relaxed. The same message, keys and time
 * give the same octets.
 * @param raw the whole message, with CRLF at the end of every line
 * @param at the time in the signature
 * @param unsigned fields to leave out, in lower case, because the relay rewrites them
 * @returns the DKIM-Signature fields, one for each key, to be placed before the message
 */
export function signMessage(
  raw: Buffer,
  keys: readonly SigningKey[],
  at: Date,
  unsigned: readonly string[] = [],
): string {
  const { fields, body } = splitMessage(raw);
  const bodyHash = createHash('sha256').update(relaxedBody(body)).digest('base64');
  const names = unsigned.length === 0 ? signedFields : signedFields.filter((name) => !unsigned.includes(name));
  const covered = coveredFields(fields, names);
  let listed = '';
  let signedHead = '';
  for (const field of covered) {
    listed += `${field.name}:`;
    signedHead += `${relaxedField(field)}\r\n`;
  }
  const { text: list, relaxed: relaxedList } = listTag(listed + names.join(':'));
  const seconds = Math.floor(at.getTime() / 1000);
  let written = '';
  for (const { domain, selector, algorithm, key } of keys) {
    const first = `v=1; a=${algorithm}-sha256; c=relaxed/relaxed; d=${domain};`;
    const second = `s=${selector}; t=${seconds};`;
    const relaxed = `dkim-signature:${first} ${second} ${relaxedList} bh=${bodyHash}; b=`;
    const signature = signatureOf(algorithm, key, Buffer.from(signedHead + relaxed, 'latin1'));
    written += `DKIM-Signature: ${first}\r\n ${second}\r\n ${list}\r\n bh=${bodyHash};\r\n b=${folded(signature)}\r\n`;
  }
  return written;
}

/** The fields to sign, by the order of `names`; several of one name from the last to the first (RFC 6376 §5.4.2). */
function coveredFields(fields: readonly Field[], names: readonly string[]): Field[] {
  const byName = new Map<string, Field[]>();
  for (const field of fields) {
    const same = byName.get(field.name);
    if (same) same.unshift(field);
    else byName.set(field.name, [field]);
  }
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** The tag h= as it is written, folded, and in its canonical form. */
interface ListTag {
  readonly text: string;
  readonly relaxed: string;
}

/** By the names in the tag. The messages of a sender have few combinations of fields. */
const listTags = new Map<string, ListTag>();
const maxListTags = 500;

function listTag(names: string): ListTag {
  const known = listTags.get(names);
  if (known) return known;
  const text = `h=${names};`.replaceAll(/(.{1,70}(?::|$))/g, '$1\r\n  ').trimEnd();
  const made = { text, relaxed: relaxedField({ name: 'h', text: `h:${text}` }).slice('h:'.length) };
  if (listTags.size >= maxListTags) listTags.clear();
  listTags.set(names, made);
  return made;
}

// RFC 8463 §3: Ed25519 signs the SHA-256 hash of the data that RSA signs.
const signatureOf = (algorithm: SigningKey['algorithm'], key: KeyObject, input: Buffer): string =>
  (algorithm === 'rsa'
    ? sign('sha256', input, key)
    : sign(null, createHash('sha256').update(input).digest(), key)
  ).toString('base64');

const lineLength = 72;

function folded(base64: string): string {
  let lines = base64.slice(0, lineLength);
  for (let from = lineLength; from < base64.length; from += lineLength)
    lines += `\r\n  ${base64.slice(from, from + lineLength)}`;
  return lines;
}
