import type { IdentityRow } from '../tables/identity.js';
import type { IdentityValue } from './resources.js';

/** An identity as replies and events show it. */
export const presentIdentity = (row: IdentityRow): IdentityValue => ({
  id: row.id,
  kind: row.kind,
  value: row.value,
  provider: row.provider,
  verifiedAt: row.verifiedAt?.toISOString() ?? null,
  primary: row.isPrimary,
  createdAt: row.createdAt.toISOString(),
});
