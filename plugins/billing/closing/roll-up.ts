import { dayOf } from '#core/runtime/clock.js';
import type { Services } from '#core/kernel/services.js';
import { groupBy } from '#core/messaging/group-by.js';
import { orUpdate, joined, type Statement } from '#core/runtime/database/statement.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { lockCapShared } from '../cap/cap.js';
import { lockMonth } from '../periods/lock-month.js';
import { nextPeriod, periodOf } from '../periods/months.js';
import { pricesOf } from '../prices/price-list.js';
import { reversals } from '../tables/reversal.js';
import { usages, usageTotals, type UsageRow, type UsageTotalRow } from '../tables/usage.js';
import { tariffOf, type Tariff } from '../settings/tariff.js';
import { priceReversals } from '../metering/reversals.js';
import { spentOf } from '../metering/spending.js';

/** Rows in one transaction. */
const batchSize = 2_000;

/**
 * Adds committed usage to the totals. Several processes may do it concurrently: each takes different rows. Usage of a
 * month that was closed in the meantime counts in the next open month; reversals of a closed month are valued and
 * credited there.
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
  await foldReversals(db, rows);
  return rows.length;
}

/**
 * Keeps one row for the reversals of a source, which a later reversal adds up (metering/recorded.ts). A broadcast of
 * texts writes one with every few outcomes, tens of thousands in all.
 * @param rows locked, and already in the totals
 */
async function foldReversals(db: Session, rows: readonly UsageRow[]): Promise<void> {
  const reversed = rows.filter(({ quantity }) => quantity < 0n);
  const keyOf = (row: UsageRow): string =>
    [row.environmentId, row.sourceId, row.meter, row.country, row.period].join(' ');
  const groups = groupBy(reversed, keyOf).filter((group) => group.length > 1);
  if (groups.length === 0) return;
  const folded = groups.map(([first, ...others]) => ({ kept: first, others }));
  await db.run(
    joined(
      folded.flatMap(({ kept, others }): Statement[] =>
        kept === undefined
          ? []
          : [
              {
                sql: 'UPDATE billing_usage SET quantity = quantity + ? WHERE id = ?',
                parameters: [others.reduce((sum, { quantity }) => sum + quantity, 0n), idBytes(kept.id)],
              },
            ],
      ),
    ),
  );
  await db.run('DELETE FROM billing_usage WHERE id IN (?)', [
    folded.flatMap(({ others }) => others.map(({ id }) => idBytes(id))),
  ]);
}

const byKey =
  <T>(keyOf: (each: T) => string) =>
  (a: T, b: T): number =>
    keyOf(a) < keyOf(b) ? -1 : 1;

async function rollUpAccount(db: Session, tariff: Tariff, at: Date, rows: readonly UsageRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { accountId } = first;
  // Locks the accounts before the months, as calls that reserve do.
  const cap = await lockCapShared(db, accountId, at);
  const statements: Statement[] = [];
  const changed = new Set<string>();
  for (const group of groupBy(rows, ({ period }) => period).sort(byKey((each) => each[0]?.period ?? ''))) {
    const period = group[0]?.period ?? '';
    const open = await openPeriod(db, accountId, period);
    const isLate = open !== period;
    const counted = group.filter(({ quantity }) => !isLate || quantity > 0n);
    if (counted.length > 0) {
      changed.add(open);
      statements.push(totalsStatement(counted.map((row) => ({ ...row, period: open }))));
      // What is reversed of it later is looked up in the month in which it was charged.
      if (isLate) statements.push(movedStatement(counted, open));
    }
    const credited = await creditClosed(
      db,
      tariff,
      period,
      group.filter(({ quantity }) => isLate && quantity <= 0n),
    );
    for (const each of credited.periods) changed.add(each);
    statements.push(...credited.statements);
    if (cap !== null)
      statements.push({
        sql: 'UPDATE billing_month SET reserved = GREATEST(reserved - ?, 0) WHERE account_id = ? AND period = ?',
        parameters: [group.reduce((sum, { reserved }) => sum + reserved, 0n), idBytes(accountId), Buffer.from(period)],
      });
  }
  await db.run(joined(statements));
  if (cap === null) return;
  for (const period of changed) {
    const prices = pricesOf(tariff.list, period);
    // If the rest of the month was computed with other prices, repriceMonths computes all of it.
    await db.run(
      'UPDATE billing_month SET spent = ?, prices_digest = IF(prices_digest = ?, prices_digest, NULL) WHERE account_id = ? AND period = ?',
      [await spentOf(db, tariff, accountId, period), prices.digest, idBytes(accountId), Buffer.from(period)],
    );
  }
}

const movedStatement = (rows: readonly UsageRow[], period: string): Statement => ({
  sql: 'UPDATE billing_usage SET period = ? WHERE id IN (?)',
  parameters: [Buffer.from(period), rows.map(({ id }) => idBytes(id))],
});

/**
 * Credits reversals of a closed month in the month of each row, or in the first open one after it. The closed month is
 * locked, so two processes value its units one after the other.
 */
async function creditClosed(
  db: Session,
  tariff: Tariff,
  usedPeriod: string,
  rows: readonly UsageRow[],
): Promise<{ periods: string[]; statements: Statement[] }> {
  const [first] = rows;
  if (!first) return { periods: [], statements: [] };
  const { accountId } = first;
  const units = rows.map((row) => ({ ...row, usedPeriod, day: dayOf(row.createdAt), quantity: -row.quantity }));
  const valued = await priceReversals(db, tariff, accountId, usedPeriod, units);
  const credited = [];
  for (const [index, each] of valued.entries()) {
    const { meter, projectId, day, country, isTest, quantity, amount } = each;
    const period = await openPeriod(db, accountId, periodOf((rows[index] ?? first).createdAt));
    credited.push({ accountId, period, usedPeriod, meter, projectId, day, country, isTest, quantity, amount });
  }
  const add = (column: string): string => `${column} = billing_reversal.${column} + VALUES(${column})`;
  return {
    periods: [...new Set(credited.map(({ period }) => period))],
    statements: [orUpdate(reversals.insertRows(credited), `${add('quantity')}, ${add('amount')}`)],
  };
}

/**
 * The month in which usage of a month is charged, its row locked: a transaction that closes a month waits for this one,
 * or this one sees the month closed.
 */
async function openPeriod(db: Session, accountId: string, period: string): Promise<string> {
  for (let candidate = period; ; candidate = nextPeriod(candidate)) {
    const { closedAt } = await lockMonth(db, accountId, candidate);
    if (closedAt === null) return candidate;
  }
}

/** Adds rows to the totals, in key order. */
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
  return orUpdate(usageTotals.insertRows(sorted), 'quantity = billing_usage_total.quantity + VALUES(quantity)');
}
