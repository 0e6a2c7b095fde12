import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { presentFactor, type FactorValue } from './resources.js';
import { presentIdentity, type IdentityValue } from '../identities/resources.js';
import { factors } from '../tables/factor.js';
import { identities, type IdentityRow } from '../tables/identity.js';

/** A user's identities, oldest first. */
export async function identitiesOf(db: ReadSession, userId: string): Promise<IdentityRow[]> {
  const rows = await db.prepared<object>(
    `SELECT ${identities.columnList()} FROM auth_identity WHERE user_id = ? ORDER BY id`,
    [idBytes(userId)],
  );
  return rows.map((row) => identities.decode(row));
}

/** A user's identities and second factors, oldest first. */
export async function userDetails(
  db: ReadSession,
  userId: string,
): Promise<{ identities: IdentityValue[]; factors: FactorValue[] }> {
  const [found, enrolled] = await Promise.all([
    identitiesOf(db, userId),
    db.prepared<object>(`SELECT ${factors.columnList()} FROM auth_factor WHERE user_id = ? ORDER BY id`, [
      idBytes(userId),
    ]),
  ]);
  return {
    identities: found.map(presentIdentity),
    factors: enrolled.map((row) => presentFactor(factors.decode(row))),
  };
}
