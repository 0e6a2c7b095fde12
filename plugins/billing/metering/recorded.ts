import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Usage } from '../ports.js';

/**
 * Usages, each with no more units than are recorded of it and were not given back: nothing was recorded of a message that was accepted while
 * billing was not enabled.
 */
export async function recordedOf(
  db: Pick<ReadSession, 'rows'>,
  accountId: string,
  usages: readonly Usage[],
): Promise<Usage[]> {
  if (usages.length === 0) return [];
  const sources = [...new Set(usages.map(({ sourceId }) => sourceId))];
  const rows = await db.rows<{ source_id: Buffer; meter: Buffer; country: Buffer; quantity: string | number }>(
    `SELECT source_id, meter, country, SUM(quantity) AS quantity FROM billing_usage
     WHERE source_id IN (?) AND account_id = ? GROUP BY source_id, meter, country`,
    [sources.map((source) => Buffer.from(source)), idBytes(accountId)],
  );
  const keyOf = (source: string, meter: string, country: string): string => `${source} ${meter} ${country}`;
  const left = new Map(
    rows.map(({ source_id: source, meter, country, quantity }) => [
      keyOf(source.toString(), meter.toString(), country.toString()),
      Number(quantity),
    ]),
  );
  return usages.flatMap((usage) => {
    const key = keyOf(usage.sourceId, usage.meter, usage.country ?? '');
    const recorded = left.get(key) ?? 0;
    const quantity = Math.min(usage.quantity, recorded);
    left.set(key, recorded - quantity);
    return quantity > 0 ? [{ ...usage, quantity }] : [];
  });
}
