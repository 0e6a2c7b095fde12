import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { IdentityFacts } from '../identities/normalize.js';
import { mostSchemes } from './schemes.js';
import { passwords, type PasswordRow } from '../tables/password.js';
import type { Context } from '#core/kernel/context.js';
import type { UserRow } from '../tables/user.js';

/** A password with the identity of the address by which it was found. */
interface FoundPassword extends PasswordRow {
  identityId: string;
}

/**
 * The password of an address's user, and the algorithms that the environment has imported (schemes.ts), in one indexed
 * read.
 * @returns `stored`: null if there is no such user or no password; `schemes`: for each algorithm, a hash that belongs
 *   to nobody
 */
export async function findPasswordOf(
  db: ReadSession,
  environmentId: string,
  { kind, key }: Pick<IdentityFacts, 'kind' | 'key'>,
): Promise<{ stored: FoundPassword | null; schemes: string[] }> {
  const rows = await db.prepared<{ user_id: Buffer | null; hash: Buffer | string; identity_id: Buffer | null }>(
    `SELECT ${passwords.columnList('p')}, i.id AS identity_id
       FROM auth_identity i JOIN auth_password p ON p.user_id = i.user_id
       WHERE i.environment_id = ? AND i.kind = ? AND i.identity_key = ?
     UNION ALL
     (SELECT NULL, environment_id, hash, 0, created_at, created_at, NULL FROM auth_password_scheme
       WHERE environment_id = ? ORDER BY created_at DESC, digest LIMIT ${mostSchemes})`,
    [idBytes(environmentId), kind, Buffer.from(key), idBytes(environmentId)],
  );
  const found = rows.find((row) => row.user_id !== null);
  return {
    stored: found?.identity_id ? { ...passwords.decode(found), identityId: idText(found.identity_id) } : null,
    schemes: rows.flatMap((row) => (row.user_id === null ? [row.hash.toString()] : [])),
  };
}

/** A user's password. @param locking '' or ' FOR UPDATE', which prevents changes until COMMIT */
export async function findPassword(
  db: ReadSession,
  userId: string,
  locking: '' | ' FOR UPDATE' = '',
): Promise<PasswordRow | null> {
  const [found] = await db.prepared<object>(
    `SELECT ${passwords.columnList()} FROM auth_password WHERE user_id = ?${locking}`,
    [idBytes(userId)],
  );
  return found ? passwords.decode(found) : null;
}

/**
 * Accepts a password that was checked before the transaction, if it is still the user's, and replaces another system's
 * hash. If two first sign-ins run at the same time, the second finds the hash that the first one stored: the password
 * is the same in this case, because `updatedAt` is the time when it was set.
 * @param rehash what to store instead, from verifyPassword
 * @returns false if the password was changed or removed in the meantime
 */
export async function acceptPassword(
  { db }: Pick<Context, 'db'>,
  { stored, rehash }: { stored: PasswordRow; rehash: string | undefined },
): Promise<boolean> {
  const now = await findPassword(db, stored.userId, ' FOR UPDATE');
  if (!now || now.updatedAt.getTime() !== stored.updatedAt.getTime()) return false;
  if (now.hash !== stored.hash) return rehash !== undefined;
  if (rehash !== undefined)
    await db.defer({
      sql: 'UPDATE auth_password SET hash = ? WHERE user_id = ?',
      parameters: [Buffer.from(rehash), idBytes(stored.userId)],
    });
  return true;
}

/** A password that a call stores. */
interface NewPassword {
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
