import type { Session, SqlValue } from '../database/session.js';
import { insertInto, type Statement } from '../database/statement.js';
import { idBytes, idText } from '../id.js';

export { workTable } from './tables.js';

/** The priority classes of a queue. Each lane has its own slots, so a broadcast never delays a sign-in code. */
export const lanes = { system: 0, transactional: 1, bulk: 2 } as const;
export type Lane = keyof typeof lanes;
export const laneNames: readonly Lane[] = ['system', 'transactional', 'bulk'];

/** The name of a stored lane. @throws Error for a number that is none */
export function laneNamed(lane: number): Lane {
  if (lane === lanes.system) return 'system';
  if (lane === lanes.transactional) return 'transactional';
  if (lane === lanes.bulk) return 'bulk';
  throw new Error(`There is no lane ${lane}.`);
}

/** A row that this process has leased. */
export interface Claim {
  id: string;
  /** What the queue is fair between: an environment, an endpoint, a broadcast. */
  partitionId: string;
  lane: number;
  /** How often the row has been claimed, including this time. */
  attempts: number;
  /** Fences the lease: an outcome is recorded only while the row carries this token. */
  leaseToken: Buffer;
}

/** Partitions whose rows are not claimed, such as the environments of closed accounts. */
export interface Exclusion {
  /** SQL that selects the ids of the partitions. */
  readonly partitions: string;
  /** The lanes it applies to; all when absent. */
  readonly lanes?: readonly Lane[];
}

/** How a queue is named in calls of `wake` and in log lines, and the table of its rows. */
export interface QueueRef {
  readonly name: string;
  /** Created by `queueTable` (tables.ts). */
  readonly table: string;
}

/** A kind of background work: its rows and how they are processed. */
export interface WorkQueue extends QueueRef {
  /** Rows of one lane that this process works on at once. */
  readonly concurrency: number;
  readonly excludedPartitions: readonly Exclusion[];
  /** Rows of one partition and lane that this process works on at once; limited by `concurrency` alone when absent. */
  readonly perPartition?: (partitionId: string, lane: number) => number;
  /** A limit for partitions that belong together, such as all endpoints of an environment. */
  readonly group?: {
    /** Rows of one group that this process works on at once. */
    readonly most: number;
    /** The group of a partition; undefined when it is not known yet. */
    of(partitionId: string): string | undefined;
  };
  /** Called with newly claimed rows before they run, to load their data in one batch. */
  readonly prepare?: (claims: readonly Claim[]) => Promise<void>;
  /**
   * Does the work outside any transaction and records its outcome (`completeWork`, `postponeWork`). When it throws, the row is
   * postponed with exponential back-off.
   * @param freeSlot call it when only the outcome is left to record: the slot goes to another row, the lease is kept
   */
  readonly perform: (claim: Claim, freeSlot: () => void) => Promise<void>;
  /** Releases the resources that `perform` uses, after the last row has ended. */
  readonly close?: () => Promise<void>;
}

/** A row to queue. */
export interface NewWork {
  id: string;
  partitionId: string;
  lane: Lane;
  dueAt: Date;
}

type Table = Pick<QueueRef, 'table'>;
type Lease = Pick<Claim, 'id' | 'leaseToken'>;

/** The columns of a row to queue. */
export const workRow = ({ id, partitionId, lane, dueAt }: NewWork): Record<string, SqlValue> => ({
  id: idBytes(id),
  partition_id: idBytes(partitionId),
  lane: lanes[lane],
  due_at: dueAt,
  attempts: 0,
  leased: 0,
});

/** Queues rows. Run it in the transaction that accepts the work, and wake the queue. */
export const enqueueStatement = ({ table }: Table, items: readonly NewWork[]): Statement =>
  insertInto(table, items.map(workRow));

/**
 * Removes finished work, in the transaction that records its outcome.
 * @returns false when the lease was lost: roll the outcome back, another worker has the row
 */
export async function completeWork(db: Session, { table }: Table, { id, leaseToken }: Lease): Promise<boolean> {
  const { affectedRows } = await db.run(`DELETE FROM ${table} WHERE id = ? AND lease_token = ?`, [
    idBytes(id),
    leaseToken,
  ]);
  return affectedRows === 1;
}

/**
 * Releases the lease and makes the row due at `dueAt`.
 * @returns false when the lease was lost: another worker has the row
 */
export async function postponeWork(
  db: Session,
  { table }: Table,
  { id, leaseToken }: Lease,
  dueAt: Date,
): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE ${table} SET leased = 0, lease_token = NULL, lease_until = NULL, due_at = ? WHERE id = ? AND lease_token = ?`,
    [dueAt, idBytes(id), leaseToken],
  );
  return affectedRows === 1;
}

/**
 * Locks rows that this process has leased, before their outcomes are recorded in one transaction.
 * @returns the ids of those whose lease still holds; record the outcomes of no others
 */
export async function lockLeases(db: Session, { table }: Table, claims: readonly Lease[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const tokens = new Map(claims.map(({ id, leaseToken }) => [id, leaseToken]));
  const rows = await db.rows<{ id: Buffer; lease_token: Buffer | null }>(
    `SELECT id, lease_token FROM ${table} FORCE INDEX (PRIMARY) WHERE id IN (?) FOR UPDATE`,
    [claims.map(({ id }) => idBytes(id))],
  );
  const valid = rows.filter((row) => row.lease_token !== null && tokens.get(idText(row.id))?.equals(row.lease_token));
  return new Set(valid.map(({ id }) => idText(id)));
}

/** Removes many finished rows, all of them confirmed by `lockLeases` in this transaction. */
export async function completeMany(db: Session, { table }: Table, claims: readonly Lease[]): Promise<void> {
  if (claims.length === 0) return;
  await db.defer(`DELETE FROM work USING ${table} AS work FORCE INDEX (PRIMARY) WHERE work.id IN (?)`, [
    claims.map(({ id }) => idBytes(id)),
  ]);
}

/** Postpones many rows, all of them confirmed by `lockLeases` in this transaction: one statement for each different `dueAt`. */
export async function postponeMany(
  db: Session,
  { table }: Table,
  items: readonly { claim: Lease; dueAt: Date }[],
): Promise<void> {
  for (const time of new Set(items.map(({ dueAt }) => dueAt.getTime()))) {
    const ids = items.filter(({ dueAt }) => dueAt.getTime() === time).map(({ claim }) => idBytes(claim.id));
    await db.defer(
      `UPDATE ${table} FORCE INDEX (PRIMARY) SET leased = 0, lease_token = NULL, lease_until = NULL, due_at = ? WHERE id IN (?)`,
      [new Date(time), ids],
    );
  }
}

/** Takes a row out of the queue. @returns false when a worker has leased it, or it is gone */
export async function withdrawWork(db: Session, { table }: Table, id: string): Promise<boolean> {
  const { affectedRows } = await db.run(`DELETE FROM ${table} WHERE id = ? AND leased = 0`, [idBytes(id)]);
  return affectedRows === 1;
}

/** Which of these rows a worker has leased right now. */
export async function leasedIds(db: Session, { table }: Table, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.rows<{ id: Buffer }>(`SELECT id FROM ${table} WHERE id IN (?) AND leased = 1`, [
    ids.map(idBytes),
  ]);
  return new Set(rows.map(({ id }) => idText(id)));
}
