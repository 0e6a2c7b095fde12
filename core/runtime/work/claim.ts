import { randomBytes } from 'node:crypto';
import { idList } from '../database/literal.js';
import type { Database } from '../database/session.js';
import type { RawSql, SqlValue } from '../database/statement.js';
import { idBytes, idText } from '../id.js';
import { lanes, leaseEnd, type Claim, type Exclusion, type QueueRef, type WorkQueue } from './queue.js';

/** The largest number of expired rows that one statement releases. */
const releaseLimit = 1_000;
/** The journals that one process records at a time, within the time of a lease. */
const recoverLimit = 20;

/** A partition of a lane that has due rows. */
export interface DuePartition {
  lane: number;
  partitionId: string;
}

/** The parts of a queue that the claim statements need. */
type Source = Pick<WorkQueue, 'table' | 'excludedPartitions' | 'plannedTime'>;

/** A condition on `lane` and `partition_id` that is true when no exclusion applies. */
const notExcluded = (exclusions: readonly Exclusion[]): string =>
  exclusions
    .map((exclusion) => {
      const free = `waiting.partition_id NOT IN (${exclusion.partitions})`;
      if (!exclusion.lanes) return ` AND ${free}`;
      return ` AND (waiting.lane NOT IN (${exclusion.lanes.map((lane) => lanes[lane]).join(', ')}) OR ${free})`;
    })
    .join('');

/**
 * The FROM clause, with WHERE, that yields one row of `waiting` per partition with due rows; the parameter is the
 * current time. This is a loose index scan: one index lookup per partition, no matter how many rows wait. Keep `leased`
 * in GROUP BY although it is constant: without it MySQL reads all rows (300,000 rows: 88 ms instead of 1 ms, measured).
 */
export const duePartitionsFrom = ({ table, excludedPartitions }: Source): string => `FROM (
    SELECT lane, partition_id, MIN(due_at) AS due_at FROM ${table} WHERE leased = 0 GROUP BY leased, lane, partition_id
  ) AS waiting WHERE waiting.due_at <= ?${notExcluded(excludedPartitions)}`;

/**
 * The scan of duePartitionsFrom takes longer only if it reads all rows, because the server's statistics are from when
 * the table had fewer rows.
 */
const slowScanMs = 5;
const analyzedEveryMs = 10_000;
const analyzedAt = new Map<string, number>();

/**
 * Has the server read its statistics of a queue again, at most every ten seconds, so that it scans the index loosely.
 */
async function analyze(database: Database, { table }: Pick<QueueRef, 'table'>): Promise<void> {
  if (performance.now() - (analyzedAt.get(table) ?? -Infinity) < analyzedEveryMs) return;
  analyzedAt.set(table, performance.now());
  // Refused without the privilege, or on a read-only server: the queue then works with the statistics it has.
  await database.rows(`ANALYZE NO_WRITE_TO_BINLOG TABLE ${table}`).catch((_refused: unknown) => undefined);
}

/** Returns the partitions that have due rows, without the excluded ones. */
export async function duePartitions(database: Database, queue: Source, now: Date): Promise<DuePartition[]> {
  const began = performance.now();
  const rows = await database.rows<{ lane: number; partition_id: Buffer }>(
    `SELECT waiting.lane, waiting.partition_id ${duePartitionsFrom(queue)}`,
    [now],
  );
  if (performance.now() - began > slowScanMs) await analyze(database, queue);
  return rows.map((row) => ({ lane: row.lane, partitionId: idText(row.partition_id) }));
}

/**
 * Claims up to `limit` due rows of each partition. One transaction covers all partitions, because a commit for each
 * would be expensive. Locked rows are skipped, so workers never wait for each other. Leases expire by the database's
 * clock.
 * @param certain while the time is not trusted: rows that are planned for later wait
 * @returns the claimed rows
 */
export async function claimRows(
  database: Database,
  queue: Source,
  partitions: readonly DuePartition[],
  limit: number,
  now: Date,
  certain?: Date,
): Promise<Claim[]> {
  const leaseToken = randomBytes(16);
  // One SELECT per partition reads a range of the claim index in order; a single SELECT for all partitions would have
  // to sort.
  const { plannedTime } = queue;
  const isHeld = certain !== undefined && plannedTime !== undefined;
  const notPlannedLater = isHeld ? ` AND COALESCE((${plannedTime}) <= ?, TRUE)` : '';
  const select = `SELECT id, partition_id, lane, attempts FROM ${queue.table} AS work FORCE INDEX (claim)
       WHERE leased = 0 AND lane = ? AND partition_id = ? AND due_at <= ?${notPlannedLater} ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED`;
  const parameters = partitions.flatMap(({ lane, partitionId }): SqlValue[] => [
    lane,
    idBytes(partitionId),
    now,
    ...(isHeld ? [certain] : []),
    limit,
  ]);
  return database.transaction(async (session) => {
    const rows = await session.rows<{ id: Buffer; partition_id: Buffer; lane: number; attempts: number }>(
      partitions.length === 1 ? select : partitions.map(() => `(${select})`).join(' UNION ALL '),
      parameters,
    );
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => idText(id));
    // Force the primary key: through another index the UPDATE could wait for rows locked by another worker and
    // deadlock.
    await session.defer({
      sql: `UPDATE ${queue.table} FORCE INDEX (PRIMARY) SET leased = 1, lease_token = ?, lease_until = ${leaseEnd},
       attempts = attempts + 1 WHERE id IN (?)`,
      parameters: [leaseToken, idList(ids)],
    });
    return rows.map((row, index) => ({
      id: ids[index] ?? '',
      partitionId: idText(row.partition_id),
      lane: row.lane,
      attempts: row.attempts + 1,
      leaseToken,
    }));
  });
}

/**
 * Whether a lease has expired. A lease that ends later than any lease can last was written before the database's clock
 * was set back, or on another server; a worker that still has it renews it within seconds.
 */
const isExpired = '(lease_until < NOW(3) OR lease_until > NOW(3) + INTERVAL 1 HOUR)';

/** The FROM clause, with WHERE, that selects the rows whose lease has expired. */
export const expiredFrom = ({ table }: Pick<QueueRef, 'table'>): string =>
  `FROM ${table} FORCE INDEX (expiry) WHERE leased = 1 AND ${isExpired}`;

/** SQL: whether the row has something in its queue's journal. */
const hasJournal = ({ table, journal }: Pick<QueueRef, 'table' | 'journal'>): string =>
  journal === undefined ? 'FALSE' : `EXISTS (SELECT 1 FROM ${journal} j WHERE j.work_id = ${table}.id)`;

/**
 * Releases rows whose lease has expired, except for those with a journal (leaseExpired). The SELECT takes no locks, so
 * it never waits for active workers.
 * @returns the number of released rows
 */
export async function releaseExpired(database: Database, queue: Pick<QueueRef, 'table' | 'journal'>): Promise<number> {
  const rows = await database.rows<{ id: Buffer }>(
    `SELECT id ${expiredFrom(queue)} AND NOT ${hasJournal(queue)} LIMIT ${releaseLimit}`,
  );
  if (rows.length === 0) return 0;
  const { affectedRows } = await database.run(
    `UPDATE ${queue.table} FORCE INDEX (PRIMARY) SET leased = 0, lease_token = NULL, lease_until = NULL
     WHERE id IN (?) AND leased = 1 AND ${isExpired}`,
    [rows.map(({ id }) => id)],
  );
  return affectedRows;
}

/** Leases rows with a journal whose lease has expired, to record it. @returns their claims */
export async function leaseExpired(database: Database, queue: Pick<QueueRef, 'table' | 'journal'>): Promise<Claim[]> {
  const expired = await database.rows<{ id: Buffer }>(
    `SELECT id ${expiredFrom(queue)} AND ${hasJournal(queue)} LIMIT ${recoverLimit}`,
  );
  if (expired.length === 0) return [];
  const leaseToken = randomBytes(16);
  await database.run(
    `UPDATE ${queue.table} FORCE INDEX (PRIMARY) SET lease_token = ?, lease_until = ${leaseEnd}
     WHERE id IN (?) AND leased = 1 AND ${isExpired}`,
    [leaseToken, expired.map(({ id }) => id)],
  );
  const rows = await database.rows<{ id: Buffer; partition_id: Buffer; lane: number; attempts: number }>(
    `SELECT id, partition_id, lane, attempts FROM ${queue.table} WHERE id IN (?) AND lease_token = ?`,
    [expired.map(({ id }) => id), leaseToken],
  );
  return rows.map(({ id, partition_id: partition, lane, attempts }) => ({
    id: idText(id),
    partitionId: idText(partition),
    lane,
    attempts,
    leaseToken,
  }));
}

/** Extends the leases of claimed rows. Rows whose lease was lost are unchanged. */
export async function renewLeases(
  database: Database,
  queue: Pick<QueueRef, 'table'>,
  claims: readonly Claim[],
): Promise<void> {
  if (claims.length === 0) return;
  await database.run(
    `UPDATE ${queue.table} FORCE INDEX (PRIMARY) SET lease_until = ${leaseEnd}
     WHERE id IN (?) AND leased = 1 AND lease_token IN (?)`,
    idsAndTokens(claims),
  );
}

/** Releases rows that were claimed but not started. The claim does not count as an attempt. */
export async function returnClaims(
  database: Database,
  queue: Pick<QueueRef, 'table'>,
  claims: readonly Claim[],
): Promise<void> {
  if (claims.length === 0) return;
  await database.run(
    `UPDATE ${queue.table} FORCE INDEX (PRIMARY) SET leased = 0, lease_token = NULL, lease_until = NULL, attempts = attempts - 1
     WHERE id IN (?) AND leased = 1 AND lease_token IN (?)`,
    idsAndTokens(claims),
  );
}

/** The ids and the distinct lease tokens of claims: all rows of one claim transaction share a token. */
const idsAndTokens = (claims: readonly Claim[]): [RawSql, Buffer[]] => [
  idList(claims.map(({ id }) => id)),
  [...new Set(claims.map(({ leaseToken }) => leaseToken))],
];
