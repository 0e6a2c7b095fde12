import type { ReadSession } from '#core/runtime/database/read-session.js';
import { identities } from '../tables/identity.js';

/**
 * Whether a person has proven an identity that the user was stored with, or the server vouched for one. From then on,
 * anything the user adds belongs to them. Before that, anyone may be using the user. Call this with the user's row
 * locked.
 */
export async function hasProvenOrigin(db: ReadSession, userId: string): Promise<boolean> {
  const rows = await db.find(identities, { userId });
  return rows.some(({ verifiedAt, byUser }) => verifiedAt !== null && !byUser);
}
