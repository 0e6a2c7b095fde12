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
  const bodyHash = createHash('sha256').update(relaxedBody(body), 'latin1').digest('base64');
  const names = signedFields.filter((name) => !unsigned.includes(name));
  const covered = names.flatMap((name) => lastFirst(fields, name));
  const listed = [...covered.map(({ name }) => name), ...names];
  const signedHead = covered.map((field) => `${relaxedField(field)}\r\n`).join('');
  return keys
    .map(({ domain, selector, algorithm, key }) => {
      const tags = [
        `v=1; a=${algorithm}-sha256; c=relaxed/relaxed; d=${domain};`,
        `s=${selector}; t=${Math.floor(at.getTime() / 1000)};`,
        `h=${listed.join(':')};`.replaceAll(/(.{1,70}(?::|$))/g, '$1\r\n  ').trimEnd(),
        `bh=${bodyHash};`,
        'b=',
      ];
      const text = `DKIM-Signature: ${tags.join('\r\n ')}`;
      const input = Buffer.from(signedHead + relaxedField({ name: 'dkim-signature', text }), 'latin1');
      return `${text}${folded(signatureOf(algorithm, key, input))}\r\n`;
    })
    .join('');
}

// RFC 6376 §5.4.2: several fields of one name are signed from the last to the first.
const lastFirst = (fields: readonly Field[], name: string): Field[] =>
  fields.filter((field) => field.name === name).reverse();

// RFC 8463 §3: Ed25519 signs the SHA-256 hash of the data that RSA signs.
const signatureOf = (algorithm: SigningKey['algorithm'], key: KeyObject, input: Buffer): string =>
  (algorithm === 'rsa'
    ? sign('sha256', input, key)
    : sign(null, createHash('sha256').update(input).digest(), key)
  ).toString('base64');

const folded = (base64: string): string => (base64.match(/.{1,72}/g) ?? []).join('\r\n  ');
