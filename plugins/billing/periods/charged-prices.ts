import { orUpdate } from '#core/runtime/database/statement.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { meters } from '../meters.js';
import { priceSets } from '../tables/reversal.js';
import type { Tariff } from '../settings/tariff.js';
import { pricesOf, type PriceEntry, type Prices } from '../prices/price-list.js';

/** Stores the prices that a month is charged at. They are stored once, no matter how many months use them. */
export async function keepPrices(db: Session, { digest, entries }: Prices, at: Date): Promise<void> {
  const stored = entries.map(({ meter, country, tiers }) => ({
    meter,
    country,
    tiers: tiers.map(({ upTo, unitPrice }) => ({ upTo: upTo?.toString() ?? null, unitPrice: unitPrice.toString() })),
  }));
  const insert = priceSets.insertRows([{ digest, entries: stored, createdAt: at }]);
  await db.run(orUpdate(insert, 'digest = billing_price_set.digest'));
}

/**
 * The prices that a closed month was charged at. For an open month, and for one that was closed by an earlier version,
 * they are the ones in the prices file.
 */
export async function chargedPrices(
  db: Pick<ReadSession, 'rows'>,
  { list }: Tariff,
  accountId: string,
  period: string,
): Promise<Prices> {
  const [row] = await db.rows<object>(
    `SELECT ${priceSets.columnList('s')} FROM billing_month m JOIN billing_price_set s ON s.digest = m.charged_digest
     WHERE m.account_id = ? AND m.period = ?`,
    [idBytes(accountId), Buffer.from(period)],
  );
  if (!row) return pricesOf(list, period);
  const entries = priceSets.decode(row).entries.flatMap(({ meter, country, tiers }): PriceEntry[] => {
    const known = meters.find((each) => each === meter);
    const read = tiers.map(({ upTo, unitPrice }) => ({
      upTo: upTo === null ? null : BigInt(upTo),
      unitPrice: BigInt(unitPrice),
    }));
    return known === undefined ? [] : [{ meter: known, country, from: period, tiers: read }];
  });
  return pricesOf({ currency: '', entries }, period);
}
