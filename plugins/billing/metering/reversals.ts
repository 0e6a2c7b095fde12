import { dateOfDay } from '#core/runtime/clock.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { lastClosedPeriod, chargedPeriod } from '../periods/open-period.js';
import { chargedPrices } from '../periods/charged-prices.js';
import type { PriceEntry } from '../prices/price-list.js';
import { costOfUnits } from '../prices/tiers.js';
import type { Tariff } from '../settings/tariff.js';
import { liveUsageOf } from './used.js';

/** Units of a closed month that are reversed in a later one. */
interface ReversedUnits {
  readonly usedPeriod: string;
  readonly meter: string;
  /** Empty if the meter has no countries. */
  readonly country: string;
  readonly projectId: string;
  /** The day on which they are reversed: days since 1970-01-01. */
  readonly day: number;
  readonly isTest: boolean;
  /** Above 0. */
  readonly quantity: bigint;
}

/** The same, with the cost of the units in micro-units. */
export interface Reversal extends ReversedUnits {
  readonly amount: bigint;
}

type Rows = Pick<ReadSession, 'rows'>;

/**
 * Values units of one closed month: what the month costs less what it costs without them, at the prices that it was
 * charged at and after its earlier reversals. So the reversals of a month add up to what its units cost, in any order,
 * and never to more. Units of a month whose invoice was cancelled cost nothing.
 * @param units in the order in which they are reversed
 */
export async function priceReversals(
  db: Rows,
  tariff: Tariff,
  accountId: string,
  usedPeriod: string,
  units: readonly ReversedUnits[],
): Promise<Reversal[]> {
  const key = [idBytes(accountId), Buffer.from(usedPeriod)];
  const prices = await chargedPrices(db, tariff, accountId, usedPeriod);
  const [cancelled] = await db.rows<object>(
    // The units of an invoice that was carried over are charged on a later one.
    "SELECT 1 AS found FROM billing_invoice WHERE account_id = ? AND period = ? AND status = 'void' AND carried_at IS NULL",
    key,
  );
  const earlier = await db.rows<{ meter: Buffer; country: Buffer; quantity: string | number }>(
    `SELECT meter, country, SUM(quantity) AS quantity FROM billing_reversal
     WHERE account_id = ? AND used_period = ? AND is_test = 0 GROUP BY meter, country`,
    key,
  );
  const left = new Map<PriceEntry, bigint>();
  const add = (meter: string, country: string, quantity: bigint): void => {
    const price = prices.priceOf(meter, country);
    if (price) left.set(price, (left.get(price) ?? 0n) + quantity);
  };
  for (const { meter, country, quantity } of await liveUsageOf(db, accountId, usedPeriod, 'totals'))
    add(meter, country, quantity);
  for (const { meter, country, quantity } of earlier) add(meter.toString(), country.toString(), -BigInt(quantity));
  return units.map((each) => {
    const price = prices.priceOf(each.meter, each.country);
    if (!price || each.isTest || cancelled) return { ...each, amount: 0n };
    const before = left.get(price) ?? 0n;
    const after = before - each.quantity;
    left.set(price, after);
    return { ...each, amount: costOfUnits(price.tiers, before) - costOfUnits(price.tiers, after) };
  });
}

/**
 * The units of closed months that are reversed in a month.
 * @param source `all`, or only rolled-up units
 */
export async function reversalsIn(
  db: Rows,
  tariff: Tariff,
  accountId: string,
  period: string,
  source: 'all' | 'totals' = 'all',
): Promise<Reversal[]> {
  const rolledUp = `SELECT used_period, meter, country, project_id, day, is_test, quantity, amount FROM billing_reversal
     WHERE account_id = ? AND period = ?`;
  const key = [idBytes(accountId), Buffer.from(period)];
  const last = source === 'all' ? await lastClosedPeriod(db, accountId) : null;
  // One statement, so that rows that are rolled up in the meantime are read once.
  const rows = await db.rows<{
    used_period: Buffer;
    meter: Buffer;
    country: Buffer;
    project_id: Buffer;
    day: number;
    is_test: number;
    quantity: string | number;
    amount: string | number | null;
  }>(
    last === null
      ? rolledUp
      : `${rolledUp} UNION ALL
         SELECT period, meter, country, project_id, TO_DAYS(created_at) - TO_DAYS('1970-01-01') AS given_day, is_test, -SUM(quantity), NULL
         FROM billing_usage FORCE INDEX (waiting)
         WHERE is_rolled_up = 0 AND account_id = ? AND quantity < 0 AND period <= ?
         GROUP BY period, meter, country, project_id, given_day, is_test`,
    last === null ? key : [...key, idBytes(accountId), Buffer.from(last)],
  );
  const given: Reversal[] = [];
  const waiting = new Map<string, ReversedUnits[]>();
  for (const row of rows) {
    const units = {
      usedPeriod: row.used_period.toString(),
      meter: row.meter.toString(),
      country: row.country.toString(),
      projectId: idText(row.project_id),
      day: row.day,
      isTest: row.is_test === 1,
      quantity: BigInt(row.quantity),
    };
    if (row.amount !== null) given.push({ ...units, amount: BigInt(row.amount) });
    else waiting.set(units.usedPeriod, [...(waiting.get(units.usedPeriod) ?? []), units]);
  }
  for (const [usedPeriod, units] of waiting)
    for (const each of await priceReversals(db, tariff, accountId, usedPeriod, units))
      if (chargedPeriod(last, dateOfDay(each.day).slice(0, 7)) === period) given.push(each);
  return given;
}

/** The amount that reversals take off a month, in micro-units. @param source as in reversalsIn */
export async function amountReversed(
  db: Rows,
  tariff: Tariff,
  accountId: string,
  period: string,
  source: 'all' | 'totals' = 'all',
): Promise<bigint> {
  const given = await reversalsIn(db, tariff, accountId, period, source);
  return given.reduce((sum, { amount }) => sum + amount, 0n);
}
