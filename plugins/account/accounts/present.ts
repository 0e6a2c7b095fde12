import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { AccountRow } from '../tables/account.js';
import { sources, type Account } from './resources.js';

/** An account as replies and events show it. */
export const presentAccount = (row: AccountRow): ValueOf<typeof Account> => ({
  id: row.id,
  name: row.name,
  country: row.country,
  heardFrom: sources.find((source) => source === row.heardFrom) ?? null,
  heardFromDetail: row.heardFromDetail,
  createdAt: row.createdAt.toISOString(),
  closedAt: row.closedAt?.toISOString() ?? null,
  closedReason: row.closedReason,
});
