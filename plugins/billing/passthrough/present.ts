import type { ValueOf } from '#core/kernel/schema/schema.js';
import { moneyOf } from '../money/micros.js';
import type { PassthroughLine } from '../resources.js';
import type { PassthroughRow } from '../tables/passthrough.js';

/** A pass-through line as replies and events carry it. @param currency ISO 4217 */
export const presentPassthrough = (row: PassthroughRow, currency: string): ValueOf<typeof PassthroughLine> => ({
  id: row.id,
  description: row.description,
  projectId: row.projectId,
  amount: moneyOf(row.amount, currency),
  incurredAt: row.incurredAt.toISOString(),
  reference: row.reference,
});
