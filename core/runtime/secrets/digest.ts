import { createHash, createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

// The largest multiple of 62 a byte can hold. A byte at or above it is thrown away: `byte % 62` over all 256 values
// would give the first eight characters five chances in 256 and the others four.
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/**
 * SHA-256 of bytes, or of the UTF-8 of a text. Enough for keys and tokens, whose 40 random characters cannot be
 * guessed; never for passwords.
 *
 * @param input what to digest
 * @returns the 32 bytes of the digest
 */
export function sha256(input: string | Buffer): Buffer {
  return createHash('sha256').update(input).digest();
}

/**
 * HMAC-SHA256 (RFC 2104), for values too short to survive a bare digest in a stolen table: six-digit codes, addresses.
 *
 * @param key the secret key; RFC 2104 section 3 wants at least 32 bytes for SHA-256
 * @param text the text, taken as UTF-8
 * @returns the 32 bytes of the digest
 */
export function keyedDigest(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/**
 * Whether two byte strings are the same, in a time that tells nothing about where they differ. The lengths are not
 * secret: digests of one kind always have the same one.
 *
 * @param a one side
 * @param b the other side
 * @returns true when length and every byte agree
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/**
 * A text drawn uniformly from [A-Za-z0-9], 5.95 bits a character: 43 characters carry 256 bits, 40 carry 238.
 *
 * @param length how many characters; a positive whole number
 * @returns the text
 * @throws RangeError when the length is not a positive whole number, so that no empty token is ever issued
 */
export function randomToken(length: number): string {
  if (!Number.isSafeInteger(length) || length < 1) {
    throw new RangeError('A random token needs a length that is a positive whole number.');
  }
  let text = '';
  while (text.length < length) {
    // One byte in 32 is thrown away; eight to spare make a second draw rare.
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
