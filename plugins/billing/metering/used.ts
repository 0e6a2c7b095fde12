import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { chargedPeriod, lastClosedPeriod } from '../periods/open-period.js';

/** Usage of an account's month, rolled up or not, by all the keys that it is counted by. */
export interface Used {
  readonly meter: string;
  /** Empty if the meter has no countries. */
  readonly country: string;
  readonly projectId: string;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly isTest: boolean;
  readonly quantity: bigint;
}

/** Which usage is read: `all`, or only what is in the totals. */
export type Source = 'all' | 'totals';

/**
 * The rows of a month's usage, as SQL of one statement, so that rows that are rolled up in the meantime are read once.
 * Rows that are not rolled up count in the month in which they will be charged; reversalsIn reads the reversals of
 * closed months.
 */
async function countedRows(
  db: Pick<ReadSession, 'rows'>,
  accountId: string,
  period: string,
  source: Source,
): Promise<Statement> {
  const totals = {
    sql: `SELECT meter, country, project_id, day, is_test, quantity FROM billing_usage_total
      WHERE account_id = ? AND period = ?`,
    parameters: [idBytes(accountId), Buffer.from(period)],
  };
  if (source === 'totals') return totals;
  const last = await lastClosedPeriod(db, accountId);
  if (last !== null && period <= last) return totals;
  const isFirstOpen = last !== null && chargedPeriod(last, last) === period;
  const late = isFirstOpen ? ' OR (period <= ? AND quantity > 0)' : '';
  return {
    sql: `${totals.sql} UNION ALL
      SELECT meter, country, project_id, day, is_test, quantity FROM billing_usage FORCE INDEX (waiting)
      WHERE is_rolled_up = 0 AND account_id = ? AND (period = ?${late})`,
    parameters: [...totals.parameters, ...totals.parameters, ...(isFirstOpen ? [Buffer.from(last)] : [])],
  };
}

/** The usage of an account's month, by day, meter, project and country, in this order. */
export async function usageOf(
  db: Pick<ReadSession, 'rows'>,
  accountId: string,
  period: string,
  source: Source = 'all',
): Promise<Used[]> {
  const counted = await countedRows(db, accountId, period, source);
  const rows = await db.rows<{
    meter: Buffer;
    country: Buffer;
    project_id: Buffer;
    day: number;
    is_test: number;
    quantity: string | number;
  }>(
    `SELECT meter, country, project_id, day, is_test, SUM(quantity) AS quantity FROM (${counted.sql}) used
     GROUP BY day, meter, project_id, country, is_test ORDER BY day, meter, project_id, country, is_test`,
    [...counted.parameters],
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

/** Live usage of a month, by meter and country, which determine its price. */
export interface LiveUsage {
  readonly meter: string;
  readonly country: string;
  readonly quantity: bigint;
}

/** The usage of an account's month, by meter and country. */
export async function liveUsageOf(
  db: Pick<ReadSession, 'rows'>,
  accountId: string,
  period: string,
  source: Source = 'all',
): Promise<LiveUsage[]> {
  const counted = await countedRows(db, accountId, period, source);
  const rows = await db.rows<{ meter: Buffer; country: Buffer; quantity: string | number }>(
    `SELECT meter, country, SUM(quantity) AS quantity FROM (${counted.sql}) used WHERE is_test = 0
     GROUP BY meter, country ORDER BY meter, country`,
    [...counted.parameters],
  );
  return rows.map(({ meter, country, quantity }) => ({
    meter: meter.toString(),
    country: country.toString(),
    quantity: BigInt(quantity),
  }));
}

/** The total of the pass-through lines of an account's month, in micro-units. */
export async function feesOf(db: Pick<ReadSession, 'rows'>, accountId: string, period: string): Promise<bigint> {
  const [row] = await db.rows<{ fees: string | number | null }>(
    'SELECT SUM(amount) AS fees FROM billing_passthrough WHERE account_id = ? AND period = ?',
    [idBytes(accountId), Buffer.from(period)],
  );
  return BigInt(row?.fees ?? 0);
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
