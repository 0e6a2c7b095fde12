import type { Session, SqlValue } from '../database/session.js';
import { idBytes } from '../id.js';

/** Whose turn it is when everything waits: sign-in codes never stand behind a broadcast. */
export const lanes = { system: 0, transactional: 1, bulk: 2 } as const;
export type Lane = keyof typeof lanes;

/** One row that this process holds under a lease. */
export interface Claim {
  id: string;
  /** Who takes turns: an environment, or what else the queue is shared by. */
  partitionId: string;
  lane: number;
  /** How often the row has been claimed, this time included. */
  attempts: number;
  /** The fencing token: an outcome is recorded only while the row still carries it. */
  lease: Buffer;
}

/** A kind of work behind the requests. Its truth is rows of a table made by `workTable`. */
export interface WorkQueue {
  readonly name: string;
  readonly table: string;
  /** Items of one lane in work at once, in this process. */
  readonly concurrency: number;
  /** SQL that selects the ids of partitions that get no turn, such as environments of closed accounts. */
  readonly excludedPartitions: string;
  /** Items of one partition in work at once, in this process; as many as there are slots where nothing is said. */
  readonly perPartition?: (partitionId: string) => number;
  /** Partitions that belong together, such as an environment's endpoints: items of one such group in work at once, in this process. */
  readonly group?: { readonly most: number; of(partitionId: string): string | undefined };
  /** Told of rows that were just claimed, before they take slots: reads what they need, for many at once. */
  readonly prepare?: (claims: readonly Claim[]) => Promise<void>;
  /**
   * Does the work, outside any transaction, and records its outcome with `finishWork` or `postponeWork`. A throw postpones the row,
   * with back-off.
   * @param freeSlot for work that has only its outcome left to record: its slot goes to the next, its lease is kept until it ends
   */
  readonly perform: (claim: Claim, freeSlot: () => void) => Promise<void>;
  /** Lets go of what `perform` works with, once nothing runs any more. */
  readonly close?: () => Promise<void>;
}

/**
 * The DDL of a work table. `held` leads the claim index, so that rows in work are out of the way, and the index's order is the
 * claim's ORDER BY: a claim that must sort locks the whole queue.
 */
export const workTable = (table: string): string => `CREATE TABLE IF NOT EXISTS ${table} (
  id BINARY(16) NOT NULL,
  party_id BINARY(16) NOT NULL,
  lane TINYINT NOT NULL,
  due_at DATETIME(3) NOT NULL,
  attempts INT NOT NULL,
  held TINYINT NOT NULL,
  lease BINARY(16) NULL,
  lease_until DATETIME(3) NULL,
  PRIMARY KEY (id),
  KEY claim (held, lane, party_id, due_at, id),
  KEY expiry (held, lease_until)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`;

/** A row to queue, for `insertInto(table, [workRow(…)])` in the transaction that accepts the work. */
export const workRow = (item: {
  id: string;
  partitionId: string;
  lane: Lane;
  dueAt: Date;
}): Record<string, SqlValue> => ({
  id: idBytes(item.id),
  party_id: idBytes(item.partitionId),
  lane: lanes[item.lane],
  due_at: item.dueAt,
  attempts: 0,
  held: 0,
});

/** The work is done, in the transaction that records what came of it. @returns false when the lease was lost meanwhile */
export async function finishWork(db: Session, table: string, claim: Claim): Promise<boolean> {
  const { affectedRows } = await db.run(`DELETE FROM ${table} WHERE id = ? AND lease = ?`, [
    idBytes(claim.id),
    claim.lease,
  ]);
  return affectedRows === 1;
}

/** The work is due again at `dueAt`. @returns false when the lease was lost meanwhile */
export async function postponeWork(db: Session, table: string, claim: Claim, dueAt: Date): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE ${table} SET held = 0, lease = NULL, lease_until = NULL, due_at = ? WHERE id = ? AND lease = ?`,
    [dueAt, idBytes(claim.id), claim.lease],
  );
  return affectedRows === 1;
}

/** Takes a row that nobody works on out of its queue. @returns false when it is held by a worker, or gone */
export async function withdrawWork(db: Session, table: string, id: string): Promise<boolean> {
  const { affectedRows } = await db.run(`DELETE FROM ${table} WHERE id = ? AND held = 0`, [idBytes(id)]);
  return affectedRows === 1;
}
