import type { ReadSession } from '#core/runtime/database/read-session.js';
import { identities } from '../tables/identity.js';

/**
 * Whether somebody has proven an identity that the user was stored with, or the server vouched for one. What the user adds from then on is
 * theirs. Before that, whoever uses the user may be anybody. Call it with the user's row locked.
 */
export async function hasProvenOrigin(db: ReadSession, userId: string): Promise<boolean> {
  const rows = await db.find(identities, { userId });
  return rows.some(({ verifiedAt, byUser }) => verifiedAt !== null && !byUser);
}
