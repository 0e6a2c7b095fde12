import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { chargedPeriod, lastClosedPeriod } from '../periods/open-period.js';
import { periodOf } from '../periods/months.js';
import type { Usage } from '../ports.js';

/** Units that are reversed, with the month in which they are charged. */
export interface Recorded extends Usage {
  readonly period: string;
}

/**
 * Usages of an environment that are reversed, by the months in which their units are charged. Each has no more units
 * than are recorded there and were not reversed before: nothing was recorded for a message that was accepted while
 * billing was not enabled. If a source recorded units in several months, such as a broadcast, the units of the month of
 * `recordedAt` come first, then those of the latest months.
 */
export async function recordedOf(
  db: Pick<ReadSession, 'rows'>,
  { id: environmentId, accountId }: Pick<Environment, 'id' | 'accountId'>,
  usages: readonly Usage[],
): Promise<Recorded[]> {
  if (usages.length === 0) return [];
  const last = await lastClosedPeriod(db, accountId);
  const sources = [...new Set(usages.map(({ sourceId }) => sourceId))];
  const rows = await db.rows<{
    source_id: Buffer;
    meter: Buffer;
    country: Buffer;
    period: Buffer;
    is_late: number;
    quantity: string | number;
  }>(
    // Usage of a closed month that is not rolled up yet will be charged in the first open month.
    `SELECT source_id, meter, country, period, is_rolled_up = 0 AND quantity > 0 AS is_late, SUM(quantity) AS quantity
     FROM billing_usage WHERE source_id IN (?) AND environment_id = ? GROUP BY source_id, meter, country, period, is_late`,
    [sources.map((source) => Buffer.from(source)), idBytes(environmentId)],
  );
  const keyOf = (source: string, meter: string, country: string): string => `${source} ${meter} ${country}`;
  const left = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const key = keyOf(row.source_id.toString(), row.meter.toString(), row.country.toString());
    const recorded = row.period.toString();
    const period = row.is_late === 1 ? chargedPeriod(last, recorded) : recorded;
    const months = left.get(key) ?? new Map<string, number>();
    left.set(key, months.set(period, (months.get(period) ?? 0) + Number(row.quantity)));
  }
  return usages.flatMap((usage) => {
    const months = left.get(keyOf(usage.sourceId, usage.meter, usage.country ?? '')) ?? new Map<string, number>();
    // Earlier versions recorded reversals in the month of the reversal.
    let most = [...months.values()].reduce((sum, quantity) => sum + quantity, 0);
    let wanted = usage.quantity;
    const first = usage.recordedAt && periodOf(usage.recordedAt);
    const order = [...months.keys()].sort((a, b) => (a === first || (b !== first && a > b) ? -1 : 1));
    return order.flatMap((period) => {
      const quantity = Math.min(wanted, most, months.get(period) ?? 0);
      if (quantity <= 0) return [];
      months.set(period, (months.get(period) ?? 0) - quantity);
      wanted -= quantity;
      most -= quantity;
      return [{ ...usage, quantity, period }];
    });
  });
}
