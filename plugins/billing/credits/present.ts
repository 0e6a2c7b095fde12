import type { ValueOf } from '#core/kernel/schema/schema.js';
import { moneyOf } from '../money/micros.js';
import type { Credit } from '../resources.js';
import type { CreditRow } from '../tables/credit.js';

/** A credit as replies and events carry it. @param currency ISO 4217 */
export const presentCredit = (row: CreditRow, currency: string): ValueOf<typeof Credit> => ({
  id: row.id,
  amount: moneyOf(row.amount, currency),
  remaining: moneyOf(row.remaining, currency),
  reason: row.reason,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  reversedAt: row.reversedAt?.toISOString() ?? null,
});
