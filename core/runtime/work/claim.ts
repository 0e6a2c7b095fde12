import { randomBytes } from 'node:crypto';
import type { Database } from '../database/session.js';
import { idBytes, idText } from '../id.js';
import type { Claim, WorkQueue } from './queue.js';

/** How long a row stays with a process that says nothing. Held rows are renewed at a sixth of it. */
export const leaseSeconds = 30;

/** A lane of a partition with work that is due. */
export interface DuePartition {
  lane: number;
  partitionId: string;
}

/**
 * The partitions with due work, lane by lane: one jump of the index each (a loose index scan), however many rows wait. It takes `held`
 * in the GROUP BY, though it is constant: without it all rows are read (300,000 rows: 88 ms instead of 1, measured).
 */
export async function duePartitions(database: Database, queue: WorkQueue, now: Date): Promise<DuePartition[]> {
  const rows = await database.rows<{ lane: number; party_id: Buffer }>(
    `SELECT waiting.lane, waiting.party_id FROM (
       SELECT lane, party_id, MIN(due_at) AS due_at FROM ${queue.table} WHERE held = 0 GROUP BY held, lane, party_id
     ) AS waiting WHERE waiting.due_at <= ? AND waiting.party_id NOT IN (${queue.excludedPartitions})`,
    [now],
  );
  return rows.map((row) => ({ lane: row.lane, partitionId: idText(row.party_id) }));
}

/**
 * Claims up to `limit` due rows of each of some partitions, in one transaction for all of them: a transaction each would be a commit for
 * a few rows. Locked rows are skipped, so that two workers never wait for each other, and the lease runs by the database's clock.
 */
export async function claimRows(
  database: Database,
  queue: WorkQueue,
  dues: readonly DuePartition[],
  limit: number,
  now: Date,
): Promise<Claim[]> {
  const lease = randomBytes(16);
  // A SELECT for each partition: each is a range of the claim index in its own order, where one for all would have to sort.
  const ofOne = `SELECT id, party_id, lane, attempts FROM ${queue.table} FORCE INDEX (claim)
       WHERE held = 0 AND lane = ? AND party_id = ? AND due_at <= ? ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED`;
  const parameters = dues.flatMap(({ lane, partitionId }) => [lane, idBytes(partitionId), now, limit]);
  return database.transaction(async (session) => {
    const rows = await session.rows<{ id: Buffer; party_id: Buffer; lane: number; attempts: number }>(
      dues.length === 1 ? ofOne : dues.map(() => `(${ofOne})`).join(' UNION ALL '),
      parameters,
    );
    if (rows.length === 0) return [];
    await session.defer(
      `UPDATE ${queue.table} SET held = 1, lease = ?, lease_until = NOW(3) + INTERVAL ? SECOND, attempts = attempts + 1 WHERE id IN (?)`,
      [lease, leaseSeconds, rows.map((row) => row.id)],
    );
    return rows.map((row) => ({
      id: idText(row.id),
      partitionId: idText(row.party_id),
      lane: row.lane,
      attempts: row.attempts + 1,
      lease,
    }));
  });
}

/** Rows whose holder went silent are free again. @returns how many */
export async function freeExpired(database: Database, queue: WorkQueue): Promise<number> {
  const { affectedRows } = await database.run(
    `UPDATE ${queue.table} SET held = 0, lease = NULL, lease_until = NULL WHERE held = 1 AND lease_until < NOW(3)`,
  );
  return affectedRows;
}

/** Keeps the leases of rows that are still in work. */
export async function renew(database: Database, queue: WorkQueue, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  await database.run(
    `UPDATE ${queue.table} SET lease_until = NOW(3) + INTERVAL ? SECOND WHERE held = 1 AND lease IN (?) AND id IN (?)`,
    [leaseSeconds, [...new Set(claims.map((claim) => claim.lease))], claims.map((claim) => idBytes(claim.id))],
  );
}

/** Gives rows back that were claimed and not begun; they count no attempt. */
export async function giveBack(database: Database, queue: WorkQueue, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  await database.run(
    `UPDATE ${queue.table} SET held = 0, lease = NULL, lease_until = NULL, attempts = attempts - 1 WHERE held = 1 AND lease IN (?) AND id IN (?)`,
    [[...new Set(claims.map((claim) => claim.lease))], claims.map((claim) => idBytes(claim.id))],
  );
}
