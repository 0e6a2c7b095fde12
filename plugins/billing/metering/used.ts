import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { costOfUsage } from '../prices/price-usage.js';
import type { Prices } from '../prices/price-list.js';

/** Usage of an account's month, rolled up or not, by everything that it is counted by. */
export interface Used {
  readonly meter: string;
  /** Empty where the meter has no countries. */
  readonly country: string;
  readonly projectId: string;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly isTest: boolean;
  readonly quantity: bigint;
}

// One statement, so that rows which are rolled up meanwhile are read once.
const countedRows = `SELECT meter, country, project_id, day, is_test, quantity FROM billing_usage_total
   WHERE account_id = ? AND period = ?
   UNION ALL
   SELECT meter, country, project_id, day, is_test, quantity FROM billing_usage FORCE INDEX (waiting)
   WHERE is_rolled_up = 0 AND account_id = ? AND period = ?`;

const parametersOf = (accountId: string, period: string): (string | Buffer)[] => [
  idBytes(accountId),
  Buffer.from(period),
  idBytes(accountId),
  Buffer.from(period),
];

const totalRows = `SELECT meter, country, project_id, day, is_test, quantity FROM billing_usage_total
   WHERE account_id = ? AND period = ?`;

/**
 * The usage of an account's month, by day, meter, project and country, in this order.
 * @param source `all` usage, or only what is in the totals
 */
export async function usageOf(
  db: Pick<ReadSession, 'rows'>,
  accountId: string,
  period: string,
  source: 'all' | 'totals' = 'all',
): Promise<Used[]> {
  const parameters = parametersOf(accountId, period);
  const [counted, given] = source === 'all' ? [countedRows, parameters] : [totalRows, parameters.slice(0, 2)];
  const rows = await db.rows<{
    meter: Buffer;
    country: Buffer;
    project_id: Buffer;
    day: number;
    is_test: number;
    quantity: string | number;
  }>(
    `SELECT meter, country, project_id, day, is_test, SUM(quantity) AS quantity FROM (${counted}) used
     GROUP BY day, meter, project_id, country, is_test ORDER BY day, meter, project_id, country, is_test`,
    given,
  );
  return rows.map(({ meter, country, project_id: projectId, day, is_test: isTest, quantity }) => ({
    meter: meter.toString(),
    country: country.toString(),
    projectId: idText(projectId),
    day,
    isTest: isTest === 1,
    quantity: BigInt(quantity),
  }));
}

/** Live usage of a month, by meter and country: what its price depends on. */
export interface LiveUsage {
  readonly meter: string;
  readonly country: string;
  readonly quantity: bigint;
}

/** @param source `all` usage, or only what is in the totals */
export async function liveUsageOf(
  db: Pick<ReadSession, 'rows'>,
  accountId: string,
  period: string,
  source: 'all' | 'totals' = 'all',
): Promise<LiveUsage[]> {
  const parameters = parametersOf(accountId, period);
  const [counted, given] = source === 'all' ? [countedRows, parameters] : [totalRows, parameters.slice(0, 2)];
  const rows = await db.rows<{ meter: Buffer; country: Buffer; quantity: string | number }>(
    `SELECT meter, country, SUM(quantity) AS quantity FROM (${counted}) used WHERE is_test = 0
     GROUP BY meter, country ORDER BY meter, country`,
    given,
  );
  return rows.map(({ meter, country, quantity }) => ({
    meter: meter.toString(),
    country: country.toString(),
    quantity: BigInt(quantity),
  }));
}

/** The pass-through lines of an account's month, in micro-units. */
export async function feesOf(db: Pick<ReadSession, 'rows'>, accountId: string, period: string): Promise<bigint> {
  const [row] = await db.rows<{ fees: string | number | null }>(
    'SELECT SUM(amount) AS fees FROM billing_passthrough WHERE account_id = ? AND period = ?',
    [idBytes(accountId), Buffer.from(period)],
  );
  return BigInt(row?.fees ?? 0);
}

/** What an account's month costs so far, before credits and tax, in micro-units. */
export async function amountSoFar(
  db: Pick<ReadSession, 'rows'>,
  prices: Prices,
  accountId: string,
  period: string,
): Promise<bigint> {
  const [used, fees] = await Promise.all([liveUsageOf(db, accountId, period), feesOf(db, accountId, period)]);
  return costOfUsage(prices, used) + fees;
}

/** What the usage of a month that is not rolled up yet takes from the cap, in micro-units. */
export async function waitingReservations(
  db: Pick<ReadSession, 'rows'>,
  accountId: string,
  period: string,
): Promise<bigint> {
  const [row] = await db.rows<{ reserved: string | number | null }>(
    'SELECT SUM(reserved) AS reserved FROM billing_usage FORCE INDEX (waiting) WHERE is_rolled_up = 0 AND account_id = ? AND period = ?',
    [idBytes(accountId), Buffer.from(period)],
  );
  return BigInt(row?.reserved ?? 0);
}
