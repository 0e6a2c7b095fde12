import { createHmac, hash, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { firstShard, lastShard, ownShard } from '../shard.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

// The largest multiple of 62 up to 256. Bytes from it on are discarded: `byte % 62` over all 256 values would draw the
// first eight characters more often than the others.
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/**
 * SHA-256 of bytes, or of the UTF-8 of a text. Sufficient for keys and tokens, whose 40 random characters cannot be
 * guessed; not for passwords.
 *
 * @param input bytes or text
 * @returns the 32 bytes of the digest
 */
export function sha256(input: string | Buffer): Buffer {
  return hash('sha256', input, 'buffer');
}

/** A digest of a text that is given in pieces. */
export interface Digesting {
  update(piece: string): unknown;
  digest(): Buffer;
}

/**
 * HMAC-SHA256 (RFC 2104), for values that could be guessed from a plain digest in a stolen table: six-digit codes,
 * addresses.
 *
 * @param key the secret key; RFC 2104 section 3 requires at least 32 bytes for SHA-256
 * @param text the text, encoded as UTF-8
 * @returns the 32 bytes of the digest
 */
export function keyedDigest(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/**
 * Whether two byte strings are equal, in a time that does not depend on where they differ. Their lengths are not
 * secret: digests of one kind always have the same length.
 *
 * @param a one side
 * @param b the other side
 * @returns true if the length and all bytes are equal
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** Tokens from this length on name their shard. Shorter codes are used next to an id or a key. */
const shardedLength = 40;
/** How many characters after that of the shard are a checksum. */
const checkLength = 6;

/**
 * A random text of [A-Za-z0-9], with 5.95 bits per character: 43 characters have 256 bits, 40 have 238.
 *
 * On shards from 2 on, a text of 40 characters or more begins with a character for the shard and six for a checksum
 * (`shardOfToken`), and is random after those: 43 characters have 214 bits, 40 have 196.
 *
 * @param length how many characters; a positive whole number
 * @returns the text
 * @throws RangeError if the length is not a positive whole number, so that no empty token is ever issued
 */
export function randomToken(length: number): string {
  if (!Number.isSafeInteger(length) || length < 1) {
    throw new RangeError('The length of a random token must be a positive whole number.');
  }
  return length < shardedLength ? randomText(length) : tokenOfOwnShard(randomText(length));
}

/**
 * A token that names the shard of this process: on shards from 2 on, its first characters are replaced.
 * @param random 40 characters of [A-Za-z0-9] or more that nobody can guess
 * @returns a text of the same length
 */
export function tokenOfOwnShard(random: string): string {
  const shard = ownShard();
  if (shard === firstShard) return random;
  const mark = shardCharacter(shard);
  const rest = random.slice(mark.length + checkLength);
  return mark + checksumOf(mark, rest) + rest;
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    // One byte in 32 is discarded. Eight spare bytes make a second round rare.
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}

/** The character that names a shard. */
export const shardCharacter = (shard: number): string => ALPHABET.charAt(shard - 1);

/** The shard that a character names. @returns undefined for any other text */
export function shardOfCharacter(character: string): number | undefined {
  const index = character.length === 1 ? ALPHABET.indexOf(character) : -1;
  return index >= 0 && index < lastShard ? index + 1 : undefined;
}

const checksumOf = (mark: string, random: string): string =>
  Array.from(sha256(`shard ${mark} ${random}`).subarray(0, checkLength), (byte) =>
    ALPHABET.charAt(byte % ALPHABET.length),
  ).join('');

/**
 * The shard that made a token.
 * @param token what `randomToken` returned, without a prefix
 * @returns 1 without a valid checksum. A token of shard 1 has one by chance in 62^6 (6 · 10^10) cases
 */
export function shardOfToken(token: string): number {
  if (token.length < shardedLength) return firstShard;
  const mark = token.charAt(0);
  const randomAt = 1 + checkLength;
  if (token.slice(1, randomAt) !== checksumOf(mark, token.slice(randomAt))) return firstShard;
  return shardOfCharacter(mark) ?? firstShard;
}
