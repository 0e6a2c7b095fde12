import type { FactorRow } from '../tables/factor.js';
import type { FactorValue } from './resources.js';

/** A factor as replies and events show it. */
export const presentFactor = (row: FactorRow): FactorValue => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  activatedAt: row.activatedAt?.toISOString() ?? null,
});
