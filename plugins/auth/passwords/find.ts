import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { IdentityFacts } from '../identities/normalize.js';
import { passwords, type PasswordRow } from '../tables/password.js';

/** A password with the identity of the address that it was looked up by. */
export interface FoundPassword extends PasswordRow {
  identityId: string;
}

/** The password of the user who has an address, in one indexed read; null if there is no such user or no password. */
export async function findPasswordOf(
  db: ReadSession,
  environmentId: string,
  { kind, key }: Pick<IdentityFacts, 'kind' | 'key'>,
): Promise<FoundPassword | null> {
  const [found] = await db.prepared<{ identity_id: Buffer }>(
    `SELECT ${passwords.columnList('p')}, i.id AS identity_id FROM auth_identity i JOIN auth_password p ON p.user_id = i.user_id
     WHERE i.environment_id = ? AND i.kind = ? AND i.identity_key = ?`,
    [idBytes(environmentId), kind, Buffer.from(key)],
  );
  return found ? { ...passwords.decode(found), identityId: idText(found.identity_id) } : null;
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
