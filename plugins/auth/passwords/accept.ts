import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import type { PasswordRow } from '../tables/password.js';
import { findPassword } from './find.js';

/**
 * Takes a password that was checked before the transaction, if it is still the user's, and replaces another system's hash. Of two first
 * sign-ins at once, the second finds the hash that the first one stored: it is the same password then, since `updatedAt` is that of setting it.
 * @param rehash what to store instead, from verifyPassword
 * @returns false where the password was changed or removed meanwhile
 */
export async function acceptPassword(
  { db }: Pick<Context, 'db'>,
  { stored, rehash }: { stored: PasswordRow; rehash: string | undefined },
): Promise<boolean> {
  const now = await findPassword(db, stored.userId, ' FOR UPDATE');
  if (!now || now.updatedAt.getTime() !== stored.updatedAt.getTime()) return false;
  if (now.hash !== stored.hash) return rehash !== undefined;
  if (rehash !== undefined)
    await db.defer('UPDATE auth_password SET hash = ? WHERE user_id = ?', [
      Buffer.from(rehash),
      idBytes(stored.userId),
    ]);
  return true;
}
