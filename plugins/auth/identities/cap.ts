import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { IdentityRow } from '../tables/identity.js';

/** The largest number of addresses, of numbers and of provider accounts that a user may have. */
const identityCap = 20;

const things: Readonly<Record<IdentityRow['kind'], string>> = {
  email: 'addresses of this user',
  phone: 'numbers of this user',
  oauth: 'provider accounts of this user',
};

/** Those of the given users who have the maximum number of identities of a kind, as `<user id> <kind>`. */
export async function fullUsers(db: ReadSession, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.rows<{ user_id: Buffer; kind: Buffer | string }>(
    'SELECT user_id, kind FROM auth_identity WHERE user_id IN (?) GROUP BY user_id, kind HAVING COUNT(*) >= ?',
    [userIds.map(idBytes), identityCap],
  );
  return new Set(rows.map(({ user_id: id, kind }) => fullUser(idText(id), kind.toString())));
}

/** An entry of `fullUsers`. */
export const fullUser = (userId: string, kind: string): string => `${userId} ${kind}`;

/**
 * The values of `limit_reached` if a user has the maximum number of identities of a kind; null if another one may be
 * added.
 */
export async function capReached(
  db: ReadSession,
  userId: string,
  kind: IdentityRow['kind'],
): Promise<{ limit: number; things: string; nextStep: string } | null> {
  const [row] = await db.rows<{ found: number }>(
    'SELECT COUNT(*) AS found FROM auth_identity WHERE user_id = ? AND kind = ?',
    [idBytes(userId), Buffer.from(kind)],
  );
  if ((row?.found ?? 0) < identityCap) return null;
  return capOf(kind);
}

/** The values of `limit_reached` for a kind of identity. */
export const capOf = (kind: IdentityRow['kind']): { limit: number; things: string; nextStep: string } => ({
  limit: identityCap,
  things: things[kind],
  nextStep: 'Remove one that is no longer used with auth.identity.remove (auth.me.get lists them), then call again.',
});
