import type { Session } from '../database/session.js';
import { type SqlValue, insertInto, type Statement } from '../database/statement.js';
import { idList, idLiteral, insertLiterals, numberLiteral, timeLiteral } from '../database/literal.js';
import { idBytes, idText } from '../id.js';
import { randomBytes } from '../random-bytes.js';
import type { Turns } from '../turn-tree.js';

export { workTable } from './tables.js';

/** The priority classes of a queue. Each lane has its own slots, so a broadcast never delays a sign-in code. */
export const lanes = { system: 0, transactional: 1, bulk: 2 } as const;
export type Lane = keyof typeof lanes;
export const laneNames: readonly Lane[] = ['system', 'transactional', 'bulk'];

/** The name of a stored lane. @throws Error for an unknown number */
export function laneNamed(lane: number): Lane {
  if (lane === lanes.system) return 'system';
  if (lane === lanes.transactional) return 'transactional';
  if (lane === lanes.bulk) return 'bulk';
  throw new Error(`Unknown lane ${lane}.`);
}

/** A row that this process has leased. */
export interface Claim {
  id: string;
  /** The unit that rows are claimed round-robin over: an environment, an endpoint, a broadcast. */
  partitionId: string;
  lane: number;
  /** How often the row has been claimed, including this claim. */
  attempts: number;
  /** Identifies the lease: an outcome is recorded only while the row carries this token. */
  leaseToken: Buffer;
}

/** Partitions whose rows are not claimed, such as the environments of closed accounts. */
export interface Exclusion {
  /** SQL that selects the ids of the partitions. */
  readonly partitions: string;
  /** The lanes it applies to. Default: all. */
  readonly lanes?: readonly Lane[];
}

/** A queue's name, as used by `wake` and in log lines, and its table. */
export interface QueueRef {
  readonly name: string;
  /** Created by `queueTable` (tables.ts). */
  readonly table: string;
  /**
   * The table, by `work_id`, of what workers have stored about leased rows and not recorded yet. A row that is not
   * leased has nothing there. Default: there is none.
   */
  readonly journal?: string;
}

/** A kind of background work: its rows and how they are processed. */
export interface WorkQueue extends QueueRef {
  /** The largest number of rows of one lane that this process works on concurrently. */
  readonly concurrency: number;
  readonly excludedPartitions: readonly Exclusion[];
  /**
   * The largest number of rows of one partition and lane that this process works on concurrently. Default:
   * `concurrency`.
   */
  readonly perPartition?: (partitionId: string, lane: number) => number;
  /**
   * The largest number of rows of one partition that are claimed at once. Rows that are due while an earlier one of the
   * partition may still be postponed must not be claimed ahead. Default: as many as the buffer has room for.
   */
  readonly claimAtOnce?: number;
  /**
   * Reads the owners of partitions, outermost first: `environmentTurns` and `turnsThrough` of
   * core/kernel/environment/turns.ts. On each level, owners take turns, so a partition that is absent from the result
   * takes turns with accounts. Each partition is asked for once, because it never changes its owners.
   */
  readonly turnsOf: (partitionIds: readonly string[]) => Promise<ReadonlyMap<string, Turns>>;
  /**
   * Limits for the owners of each level, outermost first: accounts, then what an account has. Default: an account has
   * all slots of a lane but one, so that slow work leaves a slot to the other accounts.
   */
  readonly perOwner?: readonly {
    /**
     * The largest number of rows of one owner and lane that this process works on concurrently. A function gets the
     * owner's path: that of an account is its id.
     */
    readonly most: number | ((owner: string, lane: number) => number);
    /**
     * The last free slots of a lane. Only owners that use fewer than `perOwner` slots get them, so that slow owners
     * never take all.
     */
    readonly reserved?: { readonly slots: number; readonly perOwner: number };
  }[];
  /**
   * The longest that the work of this queue postpones a row, in milliseconds. Rows that are due later come back
   * (bring-back.ts). Default: two hours.
   */
  readonly longestWaitMs?: number;
  /**
   * SQL: when the work of the row `work` was last tried, NULL if it was not. If that is still to come, the clock was
   * ahead then, and the wait is counted from the present time (bring-back.ts). Default: no wait is recomputed.
   */
  readonly triedAt?: string;
  /** SQL: whether the row `work` is due at a time that somebody chose, which may be later. Default: no row is. */
  readonly chosenTime?: string;
  /** Reads when the first attempt of the oldest row failed that waits for another attempt, for the metrics. */
  readonly oldestRetry?: () => Promise<Date | null>;
  /**
   * SQL: the time for which somebody planned the row `work`, NULL if nobody did. While the time is not trusted, the row
   * is not claimed before that time has surely come (Clock.certain). Default: no row is planned.
   */
  readonly plannedTime?: string;
  /** Called with newly claimed rows before they run, to load their data in one batch. */
  readonly prepare?: (claims: readonly Claim[]) => Promise<void>;
  /**
   * Does the work outside any transaction and records its outcome (`completeWork`, `postponeWork`). If it throws, the
   * row is postponed with exponential back-off.
   * @param freeSlot call it when only the outcome remains to be recorded. It passes the slot to another row and keeps
   *   the lease.
   * @param isStopping whether the worker waits for this work to end: long work gives its row back then
   */
  readonly perform: (claim: Claim, freeSlot: () => void, isStopping: () => boolean) => Promise<void>;
  /**
   * Records what is in the journal of rows whose leases have expired, and releases them. The claims are this process's.
   */
  readonly recover?: (claims: readonly Claim[]) => Promise<void>;
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
/** The row's id and the token that fences its outcome. */
export type Lease = Pick<Claim, 'id' | 'leaseToken'>;

/** The column values of a row to queue. */
export const workRow = ({ id, partitionId, lane, dueAt }: NewWork): Record<string, SqlValue> => ({
  id: idBytes(id),
  partition_id: idBytes(partitionId),
  lane: lanes[lane],
  due_at: dueAt,
  attempts: 0,
  leased: 0,
});

/** The statement that queues rows. Run it in the transaction that accepts the work, and wake the queue. */
export const enqueueStatement = ({ table }: Table, items: readonly NewWork[]): Statement =>
  insertLiterals(
    table,
    ['id', 'partition_id', 'lane', 'due_at', 'attempts', 'leased'],
    items.map(({ id, partitionId, lane, dueAt }) => [
      idLiteral(id),
      idLiteral(partitionId),
      numberLiteral(lanes[lane]),
      timeLiteral(dueAt),
      numberLiteral(0),
      numberLiteral(0),
    ]),
  );

/** How long a lease lasts without renewal. Workers renew every sixth of it. */
export const leaseSeconds = 30;

/** The end of a lease that starts now, by the database's clock. */
export const leaseEnd = `NOW(3) + INTERVAL ${leaseSeconds} SECOND`;

/**
 * The statement that queues rows which this process has already leased (Worker.lease). Run it in the transaction that
 * accepts the work.
 */
export const enqueueLeasedStatement = ({ table }: Table, items: readonly { claim: Claim; dueAt: Date }[]): Statement =>
  insertInto(
    table,
    items.map(({ claim, dueAt }) => ({
      id: idBytes(claim.id),
      partition_id: idBytes(claim.partitionId),
      lane: claim.lane,
      due_at: dueAt,
      attempts: claim.attempts,
      leased: 1,
      lease_token: claim.leaseToken,
      lease_until: { toSqlString: () => leaseEnd },
    })),
  );

/**
 * Removes finished work. Run it in the transaction that records the outcome.
 * @returns false when the lease was lost to another worker; the caller must then roll the outcome back
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
 * @returns false when the lease was lost to another worker
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
 * Releases the leases of rows that were not tried, and makes each due at its `dueAt`: these claims do not count as
 * attempts. Rows whose lease was lost to another worker are unchanged.
 */
export async function rescheduleMany(
  db: Session,
  { table }: Table,
  items: readonly { claim: Lease; dueAt: Date }[],
): Promise<void> {
  // By token, because this process may have claimed a row again: the token of one row must not release another.
  const alike = new Map<string, { leaseToken: Buffer; dueAt: Date; ids: string[] }>();
  for (const { claim, dueAt } of items) {
    const key = `${dueAt.getTime()} ${claim.leaseToken.toString('hex')}`;
    const group = alike.get(key);
    if (group) group.ids.push(claim.id);
    else alike.set(key, { leaseToken: claim.leaseToken, dueAt, ids: [claim.id] });
  }
  for (const { leaseToken, dueAt, ids } of alike.values())
    await db.run(
      `UPDATE ${table} FORCE INDEX (PRIMARY) SET leased = 0, lease_token = NULL, lease_until = NULL, due_at = ?,
       attempts = attempts - 1 WHERE id IN (?) AND lease_token = ?`,
      [dueAt, idList(ids), leaseToken],
    );
}

/**
 * Returns the claims whose rows still have their tokens. A process may have claimed a row twice, if its first lease
 * expired, so the claim decides, not the row's id.
 */
export function validClaims<C extends Lease>(
  claims: readonly C[],
  rows: readonly { readonly id: Buffer; readonly lease_token: Buffer | null }[],
): Set<C> {
  const tokens = new Map(rows.map((row) => [idText(row.id), row.lease_token]));
  return new Set(claims.filter(({ id, leaseToken }) => tokens.get(id)?.equals(leaseToken) === true));
}

/**
 * Locks rows that this process has leased, before recording their outcomes in one transaction.
 * @param isShared other transactions of this process may confirm the lease at the same time
 * @returns the claims whose lease is still valid; record outcomes only for these
 */
export async function lockLeases<C extends Lease>(
  db: Session,
  { table }: Table,
  claims: readonly C[],
  { isShared = false } = {},
): Promise<Set<C>> {
  if (claims.length === 0) return new Set();
  const rows = await db.rows<{ id: Buffer; lease_token: Buffer | null }>(
    `SELECT id, lease_token FROM ${table} FORCE INDEX (PRIMARY) WHERE id IN (?) ${isShared ? 'LOCK IN SHARE MODE' : 'FOR UPDATE'}`,
    [idList(claims.map(({ id }) => id))],
  );
  return validClaims(claims, rows);
}

/** Removes finished rows. `lockLeases` must have confirmed all of them in this transaction. */
export async function completeMany(db: Session, { table }: Table, claims: readonly Lease[]): Promise<void> {
  if (claims.length === 0) return;
  await db.defer({
    sql: `DELETE FROM work USING ${table} AS work FORCE INDEX (PRIMARY) WHERE work.id IN (?)`,
    parameters: [idList(claims.map(({ id }) => id))],
  });
}

/**
 * Postpones rows, with one statement per distinct `dueAt`. `lockLeases` must have confirmed all of them in this
 * transaction.
 * @param anew the rows wait for another piece of work: their attempts are counted from 0 again
 */
export async function postponeMany(
  db: Session,
  { table }: Table,
  items: readonly { claim: Lease; dueAt: Date }[],
  { anew = false } = {},
): Promise<void> {
  for (const time of new Set(items.map(({ dueAt }) => dueAt.getTime()))) {
    const ids = items.filter(({ dueAt }) => dueAt.getTime() === time).map(({ claim }) => claim.id);
    await db.defer({
      sql: `UPDATE ${table} FORCE INDEX (PRIMARY) SET leased = 0, lease_token = NULL, lease_until = NULL, due_at = ?${anew ? ', attempts = 0' : ''} WHERE id IN (?)`,
      parameters: [new Date(time), idList(ids)],
    });
  }
}

/**
 * Counts the attempts of leased rows from 1 again, because they continue with another piece of work. `lockLeases` must
 * have confirmed all of them.
 */
export async function restartAttempts(db: Session, { table }: Table, claims: readonly Lease[]): Promise<void> {
  if (claims.length === 0) return;
  await db.defer({
    sql: `UPDATE ${table} FORCE INDEX (PRIMARY) SET attempts = 1 WHERE id IN (?)`,
    parameters: [idList(claims.map(({ id }) => id))],
  });
}

/**
 * Leases one row to a caller outside the worker, such as the `finish` of the operation that queued it.
 * @returns null if somebody else has leased it, or it no longer exists
 */
export async function leaseWork(db: Session, { table }: Table, id: string, seconds: number): Promise<Lease | null> {
  const leaseToken = randomBytes(16);
  const { affectedRows } = await db.run(
    `UPDATE ${table} SET leased = 1, lease_token = ?, lease_until = NOW(3) + INTERVAL ? SECOND
     WHERE id = ? AND (leased = 0 OR lease_until < NOW(3))`,
    [leaseToken, seconds, idBytes(id)],
  );
  return affectedRows === 1 ? { id, leaseToken } : null;
}

/**
 * Removes a row from the queue, also one that is held.
 * @returns false when a worker has leased it or it no longer exists
 */
export async function withdrawWork(db: Session, { table }: Table, id: string): Promise<boolean> {
  const { affectedRows } = await db.run(`DELETE FROM ${table} WHERE id = ? AND leased <> 1`, [idBytes(id)]);
  return affectedRows === 1;
}

/** Returns the ids of those rows that a worker has leased. */
export async function leasedIds(db: Session, { table }: Table, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.rows<{ id: Buffer }>(`SELECT id FROM ${table} WHERE id IN (?) AND leased = 1`, [
    ids.map(idBytes),
  ]);
  return new Set(rows.map(({ id }) => idText(id)));
}
