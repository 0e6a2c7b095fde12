import { passwords, type PasswordRow } from '../tables/password.js';
import type { UserRow } from '../tables/user.js';

/** A password that a call stores. */
export interface NewPassword {
  /** From hashPassword, or from another system (formats/parse.ts). */
  hash: string;
  /** It was set by the signed-in user, who has proven an address or number. */
  byUser: boolean;
  now: Date;
}

/** The row of a user's password. */
export const passwordHashRow = (
  { id, environmentId }: Pick<UserRow, 'id' | 'environmentId'>,
  { hash, byUser, now }: NewPassword,
): PasswordRow => ({ userId: id, environmentId, hash, byUser, createdAt: now, updatedAt: now });

/** Stores a password, in place of the user's previous one. */
export const storePasswordStatement = (row: PasswordRow) =>
  passwords.upsertRows([row], ['hash', 'byUser', 'updatedAt']);
