import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import type { PasswordRow } from '../tables/password.js';
import { findPassword } from './find.js';

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
