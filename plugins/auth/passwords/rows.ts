import { passwords, type PasswordRow } from '../tables/password.js';
import type { UserRow } from '../tables/user.js';

/** A password that is to be stored. */
export interface NewPassword {
  /** From hashPassword, or of another system (formats/parse.ts). */
  hash: string;
  /** The signed-in user set it, who has proven an address or number. */
  byUser: boolean;
  now: Date;
}

/** The row of a user's password. */
export const passwordHashRow = (
  { id, environmentId }: Pick<UserRow, 'id' | 'environmentId'>,
  { hash, byUser, now }: NewPassword,
): PasswordRow => ({ userId: id, environmentId, hash, byUser, createdAt: now, updatedAt: now });

/** Stores a password, in place of the user's former one. */
export const storePasswordStatement = (row: PasswordRow) =>
  passwords.upsertRows([row], ['hash', 'byUser', 'updatedAt']);
