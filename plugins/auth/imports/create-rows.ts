import type { Vault } from '#core/runtime/secrets/vault.js';
import { newId } from '#core/runtime/id.js';
import { totpFactor } from '../factors/store.js';
import { passwordHashRow } from '../passwords/stored.js';
import type { FactorRow } from '../tables/factor.js';
import type { IdentityRow } from '../tables/identity.js';
import type { PasswordRow } from '../tables/password.js';
import type { UserRow } from '../tables/user.js';
import { userRow } from '../users/create.js';
import { mergeMetadata } from '../users/metadata.js';
import type { ImportRow } from './row.js';

/** What is stored for a new user. */
export interface NewRows {
  readonly user: UserRow;
  readonly identities: readonly IdentityRow[];
  readonly password: PasswordRow | null;
  readonly factor: FactorRow | null;
}

/**
 * The rows of an imported user. Identities are as old as the user. None of them count as added by the user, which
 * matters for first proofs (proofs/first-proof.ts): nobody has proven the password.
 */
export function newRows(vault: Vault, environmentId: string, row: ImportRow, now: Date): NewRows {
  const id = newId();
  const createdAt = row.createdAt ?? now;
  const identities = row.identities.map((identity) => identityRow({ id, environmentId }, identity, now, createdAt));
  const user: UserRow = {
    ...userRow(
      environmentId,
      id,
      { identities: row.identities, name: row.name, externalId: row.externalId },
      identities,
      now,
    ),
    metadata: mergeMetadata('metadata', '{}', row.metadata),
    createdAt,
  };
  return {
    user,
    identities,
    password: row.passwordHash === null ? null : passwordHashRow(user, { hash: row.passwordHash, byUser: false, now }),
    factor:
      row.totpSecret === null
        ? null
        : totpFactor(vault, { environmentId, userId: id, secret: row.totpSecret, name: null, now, active: true }),
  };
}

/** An identity that a row gives a user. @param primary by default true for the first identity of its kind */
export const identityRow = (
  { id: userId, environmentId }: Pick<UserRow, 'id' | 'environmentId'>,
  { kind, key, value, provider, verified }: ImportRow['identities'][number],
  now: Date,
  createdAt = now,
  primary = true,
): IdentityRow => ({
  id: newId(),
  environmentId,
  userId,
  kind,
  identityKey: key,
  value,
  provider,
  verifiedAt: verified ? now : null,
  isPrimary: primary,
  byUser: false,
  createdAt,
});
