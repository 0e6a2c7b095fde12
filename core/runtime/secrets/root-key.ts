import { randomBytes } from 'node:crypto';
import { ROOT_KEY_BYTES } from './vault.js';

const hex = /^[0-9a-f]{64}$/i;

/** 32 bytes are 43 characters and one of padding, in the alphabet of RFC 4648 section 4 or of section 5. */
const base64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Reads SVC_SECRET_KEY.
 *
 * @param text 32 bytes as base64, base64url or hexadecimal; white space around them (a file's last newline) is ignored
 * @returns the root key
 * @throws Error that names the setting and how to make one, and nothing of what was given
 */
export function parseRootKey(text: string): Buffer {
  const trimmed = text.trim();
  if (hex.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (base64.test(trimmed)) return Buffer.from(trimmed, 'base64');
  throw new Error(
    `SVC_SECRET_KEY must be ${ROOT_KEY_BYTES} random bytes, as base64 or as 64 hexadecimal digits. ` +
      'Make one with: openssl rand -base64 32',
  );
}

/**
 * Makes a root key, in the form that parseRootKey reads.
 *
 * @returns 32 random bytes as base64
 */
export function newRootKey(): string {
  return randomBytes(ROOT_KEY_BYTES).toString('base64');
}
