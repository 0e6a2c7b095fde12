import type { FirebaseHash, MoveSettings, Note, Place } from '../found.js';
import { CliError } from '../../errors.js';
import { isAddress, numberOf } from '../values.js';
import { note } from './source.js';

/* What the exports of users have in common. */

/** Firebase's scrypt as auth.user.import takes it. */
export const firebaseHash = (
  hash: string,
  salt: string,
  { signerKey, saltSeparator, rounds, memCost }: FirebaseHash,
): string => `$fbscrypt$v=1,n=${memCost},r=${rounds},p=1,ss=${saltSeparator},sk=${signerKey}$${salt}$${hash}`;

/** A secret of an authenticator app. One that is too short (RFC 4226) is noted. */
export function secretOf(secret: string, place: Place, who: string, notes: Note[]): { totpSecret?: string } {
  if (secret === '') return {};
  const bytes = Math.floor((secret.replace(/[\s=-]/g, '').length * 5) / 8);
  if (bytes >= 16 && bytes <= 64) return { totpSecret: secret };
  notes.push(
    note(place, who, 'the secret of the authenticator app has less than 128 bits: the user sets up a new one'),
  );
  return {};
}

/** An address of a user. One that is none is noted. */
export function addressOf(
  text: string,
  isVerified: boolean,
  place: Place,
  who: string,
  notes: Note[],
): { email?: string; emailVerified?: boolean } {
  if (text === '') return {};
  if (isAddress(text)) return { email: text, emailVerified: isVerified };
  notes.push(note(place, who, 'this is not an address'));
  return {};
}

/** A number of a user. One that is not in international form is noted. */
export function phoneOf(
  text: string,
  isVerified: boolean,
  place: Place,
  who: string,
  notes: Note[],
): { phone?: string; phoneVerified?: boolean } {
  if (text === '') return {};
  const phone = numberOf(text);
  if (phone !== undefined) return { phone, phoneVerified: isVerified };
  notes.push(note(place, who, 'the number is not in international form (+49…)'));
  return {};
}

/** The name, or its parts. */
export const fullName = (...parts: readonly string[]): { name?: string } => {
  const name = parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
  return name === '' ? {} : { name };
};

/**
 * Passwords can only be moved together with their users: an existing user keeps the password that it has, or none.
 * @throws CliError unless `--no-passwords` was passed
 */
export function refuseWithout({ passwords }: MoveSettings, what: string, fix: string): void {
  if (!passwords) return;
  throw new CliError(
    `${what} Passwords can only be moved together with their users.`,
    `${fix} To move the users without passwords, pass --no-passwords: they then sign in by code.`,
  );
}
