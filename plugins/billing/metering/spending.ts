import type { ReadSession } from '#core/runtime/database/read-session.js';
import { chargedPeriod, lastClosedPeriod } from '../periods/open-period.js';
import { nextPeriod } from '../periods/months.js';
import { chargedPrices } from '../periods/charged-prices.js';
import { pricesOf } from '../prices/price-list.js';
import { costOfUsage, type Counted } from '../prices/price-usage.js';
import type { Tariff } from '../settings/tariff.js';
import { amountReversed } from './reversals.js';
import { feesOf, liveUsageOf } from './used.js';

type Rows = Pick<ReadSession, 'rows'>;

/** What an account spends in a month including additional usage, in micro-units, before credits and tax. */
export type Spending = (more?: readonly Counted[]) => bigint;

/**
 * Reads what an account has spent in a month: usage and fees, less the reversals in that month. If a wrong clock closed
 * a month before its end, the rest of the month is charged in the first open month, and those charges count here too.
 */
export async function readSpending(db: Rows, tariff: Tariff, accountId: string, period: string): Promise<Spending> {
  const last = await lastClosedPeriod(db, accountId);
  const open = chargedPeriod(last, period);
  let closed = 0n;
  for (let month = period; month < open; month = nextPeriod(month))
    closed += costOfUsage(
      await chargedPrices(db, tariff, accountId, month),
      await liveUsageOf(db, accountId, month, 'totals'),
    );
  const usage = await liveUsageOf(db, accountId, open);
  let rest = 0n;
  for (let month = period; month <= open; month = nextPeriod(month))
    rest += (await feesOf(db, accountId, month)) - (await amountReversed(db, tariff, accountId, month));
  const prices = pricesOf(tariff.list, open);
  return (more = []) => closed + rest + costOfUsage(prices, [...usage, ...more]);
}

/** What the rolled-up usage of an open month costs, less the reversals in it: the value of `billing_month.spent`. */
export async function spentOf(db: Rows, tariff: Tariff, accountId: string, period: string): Promise<bigint> {
  const used = await liveUsageOf(db, accountId, period, 'totals');
  const given = await amountReversed(db, tariff, accountId, period, 'totals');
  return costOfUsage(pricesOf(tariff.list, period), used) - given;
}
