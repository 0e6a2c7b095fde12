import type { Services } from '#core/kernel/services.js';
import { groupBy } from '#core/messaging/group-by.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { shareCap } from '../cap/share-cap.js';
import { lockMonth } from '../invoices/lock-month.js';
import { nextPeriod } from '../invoices/months.js';
import { costOfUsage } from '../prices/price-usage.js';
import { pricesOf } from '../prices/price-list.js';
import { usages, usageTotals, type UsageRow, type UsageTotalRow } from '../tables/usage.js';
import { tariffOf, type Tariff } from '../tariff.js';
import { liveUsageOf } from './used.js';

/** Rows in one transaction. */
const batchSize = 2_000;

/**
 * Adds usage that has committed to the totals. Several processes may do it at once: each takes other rows. Usage of a month that was closed
 * meanwhile counts in the next month that is open.
 * @param accountId only this account's usage, before its month is closed
 * @returns how many rows there were
 */
export async function rollUpUsage(
  { database, clock, deployment }: Pick<Services, 'database' | 'clock' | 'deployment'>,
  accountId?: string,
): Promise<number> {
  const tariff = tariffOf(deployment);
  for (let total = 0; ;) {
    const done = await database.transaction((db) => rollUpBatch(db, tariff, clock.now(), accountId));
    total += done;
    if (done < batchSize) return total;
  }
}

/** One batch, in the caller's transaction. See rollUpUsage. */
export async function rollUpBatch(db: Session, tariff: Tariff, at: Date, accountId?: string): Promise<number> {
  const found = await db.rows<object>(
    `SELECT ${usages.columnList()} FROM billing_usage FORCE INDEX (waiting)
     WHERE is_rolled_up = 0${accountId === undefined ? '' : ' AND account_id = ?'}
     ORDER BY is_rolled_up, account_id, id LIMIT ? FOR UPDATE SKIP LOCKED`,
    accountId === undefined ? [batchSize] : [idBytes(accountId), batchSize],
  );
  const rows = found.map((row) => usages.decode(row));
  if (rows.length === 0) return 0;
  // In the order of their ids, so that two processes do not deadlock.
  for (const group of groupBy(rows, (row) => row.accountId).sort(byKey((group) => group[0]?.accountId ?? '')))
    await rollUpAccount(db, tariff, at, group);
  await db.run('UPDATE billing_usage SET is_rolled_up = 1 WHERE id IN (?)', [rows.map(({ id }) => idBytes(id))]);
  return rows.length;
}

const byKey =
  <T>(keyOf: (each: T) => string) =>
  (a: T, b: T): number =>
    keyOf(a) < keyOf(b) ? -1 : 1;

async function rollUpAccount(db: Session, tariff: Tariff, at: Date, rows: readonly UsageRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { accountId } = first;
  // Before the months, as whoever reserves does.
  const cap = await shareCap(db, accountId, at);
  const statements: Statement[] = [];
  const changed = new Set<string>();
  for (const group of groupBy(rows, ({ period }) => period).sort(byKey((each) => each[0]?.period ?? ''))) {
    const period = group[0]?.period ?? '';
    const open = await openPeriod(db, accountId, period);
    changed.add(open);
    statements.push(totalsStatement(group.map((row) => ({ ...row, period: open }))));
    if (cap !== null)
      statements.push({
        sql: 'UPDATE billing_month SET reserved = GREATEST(reserved - ?, 0) WHERE account_id = ? AND period = ?',
        parameters: [group.reduce((sum, { reserved }) => sum + reserved, 0n), idBytes(accountId), Buffer.from(period)],
      });
  }
  const { sql, parameters } = joined(statements);
  await db.run(sql, parameters);
  if (cap === null) return;
  for (const period of changed) {
    const used = await liveUsageOf(db, accountId, period, 'totals');
    const prices = pricesOf(tariff.list, period);
    // Where the rest of the month was computed by other prices, repriceMonths does all of it.
    await db.run(
      'UPDATE billing_month SET spent = ?, prices_digest = IF(prices_digest = ?, prices_digest, NULL) WHERE account_id = ? AND period = ?',
      [costOfUsage(prices, used), prices.digest, idBytes(accountId), Buffer.from(period)],
    );
  }
}

/** The month that usage of a month is charged in, its row locked: whoever closes a month waits for this, or this sees it closed. */
async function openPeriod(db: Session, accountId: string, period: string): Promise<string> {
  for (let candidate = period; ; candidate = nextPeriod(candidate)) {
    const { closedAt } = await lockMonth(db, accountId, candidate);
    if (closedAt === null) return candidate;
  }
}

/** Adds rows to the totals, in the order of their key. */
function totalsStatement(rows: readonly UsageRow[]): Statement {
  const keyOf = ({ period, meter, projectId, day, country, isTest }: UsageTotalRow): string =>
    [period, meter, projectId, day, country, isTest].join(' ');
  const totals = new Map<string, UsageTotalRow>();
  for (const { accountId, period, meter, projectId, day, country, isTest, quantity } of rows) {
    const total = { accountId, period, meter, projectId, day, country, isTest, quantity };
    const key = keyOf(total);
    totals.set(key, { ...total, quantity: quantity + (totals.get(key)?.quantity ?? 0n) });
  }
  const sorted = [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total);
  const { sql, parameters } = usageTotals.insertRows(sorted);
  return {
    sql: `${sql} ON DUPLICATE KEY UPDATE quantity = billing_usage_total.quantity + VALUES(quantity)`,
    parameters,
  };
}
