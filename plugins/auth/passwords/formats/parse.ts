import { argon2 } from './argon2.js';
import { bcrypt } from './bcrypt.js';
import { firebaseScrypt } from './firebase-scrypt.js';
import { refused, type ParsedHash } from './format.js';
import { pbkdf2 } from './pbkdf2.js';
import { scrypt } from './scrypt.js';

/** The maximum length of a stored hash's text, in characters. */
const maxHashLength = 512;

/** The same of an imported one: PBKDF2 of 512 bytes in hexadecimal, which is stored with its first block only. */
export const maxImportedLength = 1_400;

const formats = [argon2, bcrypt, scrypt, firebaseScrypt, pbkdf2];

/**
 * Reads a password hash of svc or of another system.
 * @returns how to check a password against it, and `stored`, the text to keep, if it is another one; or what is wrong,
 *   as the end of a sentence: “is too expensive: …”
 */
export function parseHash(text: string): ParsedHash {
  if (text.length > maxImportedLength) return refused(`is longer than ${maxImportedLength} characters`);
  const format = formats.find(({ begins }) => begins.test(text));
  if (text.length > maxHashLength && format !== pbkdf2) return refused(`is longer than ${maxHashLength} characters`);
  return (
    format?.parse(text) ??
    refused(
      'has an unsupported format: use argon2id, argon2i, bcrypt ($2a$, $2b$, $2y$), scrypt, Firebase’s scrypt or PBKDF2 (SHA-1 and SHA-2), or import the user without it: they can sign in by code and set a password then',
    )
  );
}
