import { randomBytes } from 'node:crypto';
import { ROOT_KEY_BYTES } from './vault.js';

const hex = /^[0-9a-f]{64}$/i;

/** 32 bytes as base64 (RFC 4648 section 4) or base64url (section 5): 43 characters, with or without padding. */
const base64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Reads SVC_SECRET_KEY.
 *
 * @param text 32 bytes as base64, base64url or hexadecimal; surrounding white space, such as a file's last newline, is
 *   ignored
 * @returns the root key
 * @throws Error that names the setting and how to generate a value, without any part of the given text
 */
export function parseRootKey(text: string): Buffer {
  const trimmed = text.trim();
  if (hex.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (base64.test(trimmed)) return Buffer.from(trimmed, 'base64');
  throw new Error(
    `SVC_SECRET_KEY must be ${ROOT_KEY_BYTES} random bytes, as base64 or as 64 hexadecimal digits. ` +
      'Generate one with: openssl rand -base64 32',
  );
}

/**
 * Generates a root key in a form that parseRootKey reads.
 *
 * @returns 32 random bytes as base64
 */
export function newRootKey(): string {
  return randomBytes(ROOT_KEY_BYTES).toString('base64');
}
