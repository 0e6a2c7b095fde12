import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { IdentityFacts } from '../identities/normalize.js';
import { passwords, type PasswordRow } from '../tables/password.js';

/** The user of an address with their password, in one indexed read; undefined fields where there is no such user or no password. */
export async function findPasswordOf(
  db: ReadSession,
  environmentId: string,
  { kind, key }: Pick<IdentityFacts, 'kind' | 'key'>,
): Promise<PasswordRow | null> {
  const [found] = await db.prepared<object>(
    `SELECT ${passwords.columnList('p')} FROM auth_identity i JOIN auth_password p ON p.user_id = i.user_id
     WHERE i.environment_id = ? AND i.kind = ? AND i.identity_key = ?`,
    [idBytes(environmentId), kind, Buffer.from(key)],
  );
  return found ? passwords.decode(found) : null;
}

/** A user's password. @param locking '' or ' FOR UPDATE', so that it does not change until COMMIT */
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
