import { lockOne } from '#core/runtime/database/lock-one.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { newId } from '#core/runtime/id.js';
import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import { factors, type FactorRow } from '../tables/factor.js';

const cellOf = (factorId: string): Cell => ({ table: 'auth_factor', column: 'secret', row: factorId });

interface NewFactor {
  environmentId: string;
  userId: string;
  secret: Buffer;
  name: string | null;
  now: Date;
  /** Imported factors are active immediately; enrolled ones after their first code was entered. */
  active?: boolean;
}

/** The row of a TOTP factor, with its secret sealed. */
export function totpFactor(vault: Vault, { environmentId, userId, secret, name, now, active }: NewFactor): FactorRow {
  const id = newId();
  return {
    id,
    environmentId,
    userId,
    activeUserId: active === true ? userId : null,
    kind: 'totp',
    name,
    status: active === true ? 'active' : 'pending',
    secret: vault.seal(secret, cellOf(id)),
    lastStep: null,
    wrongCodes: 0,
    wrongCodesSince: null,
    createdAt: now,
    activatedAt: active === true ? now : null,
  };
}

/** The secret of a factor. */
export const openSecret = (vault: Vault, { id, secret }: Pick<FactorRow, 'id' | 'secret'>): Buffer =>
  vault.open(secret, cellOf(id));

/** The user's active factor; null if there is none. */
export const findActiveFactor = (db: ReadSession, userId: string): Promise<FactorRow | null> =>
  db.findOne(factors, { activeUserId: userId });

/**
 * The user's active factor, locked until the transaction ends, so that tries of one user are checked one after the
 * other.
 */
export const lockActiveFactor = (db: Session, userId: string): Promise<FactorRow | null> =>
  lockOne(db, factors, { activeUserId: userId });
