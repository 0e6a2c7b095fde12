import { shift, hourMs } from '../clock.js';
import type { Database } from '../database/session.js';
import type { WorkQueue } from './queue.js';

/**
 * Most work is due again within minutes (worker.ts); a queue that waits longer declares it (WorkQueue.longestWaitMs).
 */
const usualWaitMs = 2 * hourMs;

/** Rows that one statement reads or writes: few enough to hold locks only briefly. */
const batch = 1_000;

/** The facts needed about a queue. */
export type WaitingRows = Pick<WorkQueue, 'name' | 'table' | 'longestWaitMs' | 'chosenTime' | 'triedAt'>;

/**
 * Makes rows due now if they are due later than their queue's longest wait: they were written while the database's
 * clock was ahead, or on a server whose clock was ahead. Rows with a due time that somebody chose are unchanged
 * (WorkQueue.chosenTime). Without such rows it takes one index lookup for each partition.
 * @returns how many rows were made due
 */
export async function bringBack(
  database: Database,
  { table, longestWaitMs = usualWaitMs, chosenTime = 'FALSE' }: WaitingRows,
  now: Date,
): Promise<number> {
  const latest = shift(now, longestWaitMs);
  // `leased` stays in GROUP BY, as in claim.ts, so that the index is scanned loosely.
  const partitions = await database.rows<{ lane: number; partition_id: Buffer }>(
    `SELECT far.lane, far.partition_id FROM (
       SELECT lane, partition_id, MAX(due_at) AS due_at FROM ${table} WHERE leased = 0 GROUP BY leased, lane, partition_id
     ) AS far WHERE far.due_at > ?`,
    [latest],
  );
  let count = 0;
  for (const { lane, partition_id: partition } of partitions) {
    let after: { due_at: Date; id: Buffer } | undefined = { due_at: latest, id: Buffer.alloc(16, 0xff) };
    while (after) {
      const rows: { id: Buffer; due_at: Date; is_chosen: number }[] = await database.rows(
        `SELECT work.id, work.due_at, (${chosenTime}) AS is_chosen FROM ${table} AS work FORCE INDEX (claim)
         WHERE work.leased = 0 AND work.lane = ? AND work.partition_id = ? AND work.due_at >= ? AND (work.due_at > ? OR work.id > ?)
         ORDER BY work.due_at, work.id LIMIT ${batch}`,
        [lane, partition, after.due_at, after.due_at, after.id],
      );
      const wrong = rows.filter((row) => row.is_chosen !== 1).map(({ id }) => id);
      if (wrong.length > 0) {
        const { affectedRows } = await database.run(
          `UPDATE ${table} FORCE INDEX (PRIMARY) SET due_at = ? WHERE id IN (?) AND leased = 0 AND due_at > ?`,
          [now, wrong, latest],
        );
        count += affectedRows;
      }
      after = rows.length === batch ? rows.at(-1) : undefined;
    }
  }
  return count;
}

/**
 * Counts the waits of rows from now that were postponed while the clock was ahead: their last attempt lies in the
 * future. Rows with a due time that somebody chose, and those that were never tried, are unchanged. It reads the rows
 * that are due later, so it is called only after the clock was set back (Clock.aheadUntil).
 * @returns how many rows are due earlier
 */
export async function recomputeWaits(
  database: Database,
  { table, triedAt, chosenTime = 'FALSE' }: WaitingRows,
  now: Date,
): Promise<number> {
  if (triedAt === undefined) return 0;
  let count = 0;
  let after: Buffer | undefined = Buffer.alloc(16);
  while (after) {
    const rows: { id: Buffer; is_wrong: number | null }[] = await database.rows(
      `SELECT work.id, (work.attempts > 0 AND NOT (${chosenTime}) AND (${triedAt}) > ? AND (${triedAt}) < work.due_at) AS is_wrong
       FROM ${table} AS work FORCE INDEX (PRIMARY) WHERE work.id > ? AND work.leased = 0 AND work.due_at > ?
       ORDER BY work.id LIMIT ${batch}`,
      [now, after, now],
    );
    const wrong = rows.filter((row) => row.is_wrong === 1).map(({ id }) => id);
    if (wrong.length > 0) {
      const { affectedRows } = await database.run(
        `UPDATE ${table} AS work FORCE INDEX (PRIMARY)
         SET work.due_at = TIMESTAMPADD(MICROSECOND, TIMESTAMPDIFF(MICROSECOND, (${triedAt}), work.due_at), ?)
         WHERE work.id IN (?) AND work.leased = 0 AND work.due_at > ?`,
        [now, wrong, now],
      );
      count += affectedRows;
    }
    after = rows.length === batch ? rows.at(-1)?.id : undefined;
  }
  return count;
}
