import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { KeyRow } from '../tables/key.js';
import type { Key } from './resources.js';

/** A key as replies and events show it, without its plaintext or digest. */
export const presentKey = (row: KeyRow): ValueOf<typeof Key> => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  prefix: row.prefix,
  permissions: row.permissions,
  environmentId: row.environmentId,
  allowedOrigins: row.allowedOrigins,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});
