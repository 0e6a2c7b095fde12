import type { Session } from '../database/session.js';
import type { ReadSession } from '../database/read-session.js';
import type { SqlValue } from '../database/statement.js';
import { idBytes, idText } from '../id.js';
import type { QueueRef } from './queue.js';

/*
 * Rows that an operator holds, such as those of a restored backup. No worker claims them: they are neither free nor
 * leased. They keep their due time, so that they are due as planned, or at once, when they are released.
 */

/** `leased` of a row that is held. */
const held = 2;
const states = { waiting: 0, held } as const;

/** SQL: whether the row of a queue is held. @param row its alias */
export const isHeldSql = (row: string): string => `${row}.leased = ${held}`;

/** The rows of one partition and lane that wait, or that are held. */
interface Waiting {
  readonly partitionId: string;
  readonly lane: number;
  readonly isHeld: boolean;
  readonly count: number;
  /** How many are due now. */
  readonly due: number;
  readonly firstId: Buffer;
  readonly lastId: Buffer;
  readonly firstDue: Date;
  readonly lastDue: Date;
}

/** Counts the rows of a queue. Rows in the middle of an attempt count as waiting. */
export async function countWaiting(
  db: Pick<ReadSession, 'rows'>,
  { table }: Pick<QueueRef, 'table'>,
  now: Date,
): Promise<Waiting[]> {
  const rows = await db.rows<{
    partition_id: Buffer;
    lane: number;
    held: number;
    count: number;
    due: number;
    first_id: Buffer;
    last_id: Buffer;
    first_due: Date;
    last_due: Date;
  }>(
    `SELECT partition_id, lane, leased = ${held} AS held, COUNT(*) AS count, CAST(SUM(due_at <= ?) AS SIGNED) AS due,
       MIN(id) AS first_id, MAX(id) AS last_id, MIN(due_at) AS first_due, MAX(due_at) AS last_due
     FROM ${table} GROUP BY leased, lane, partition_id`,
    [now],
  );
  return rows.map((row) => ({
    partitionId: idText(row.partition_id),
    lane: row.lane,
    isHeld: row.held === 1,
    count: row.count,
    due: row.due,
    firstId: row.first_id,
    lastId: row.last_id,
    firstDue: row.first_due,
    lastDue: row.last_due,
  }));
}

/** How many rows of a queue a worker has leased. */
export async function countLeased(
  db: Pick<ReadSession, 'rows'>,
  { table }: Pick<QueueRef, 'table'>,
  ofLanes: readonly number[],
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    `SELECT COUNT(*) AS count FROM ${table} WHERE leased = 1 AND lane IN (?)`,
    [[...ofLanes]],
  );
  return row?.count ?? 0;
}

/**
 * Locks rows of a partition and lane that wait, or that are held, until COMMIT.
 * @param due only those that are planned for this time
 * @returns their ids, the ones that are due first
 */
export async function lockRows(
  db: Session,
  { table }: Pick<QueueRef, 'table'>,
  state: keyof typeof states,
  { id, lane }: { readonly id: string; readonly lane: number },
  due: { readonly from?: Date | undefined; readonly before?: Date | undefined },
  limit: number,
): Promise<string[]> {
  const parameters: SqlValue[] = [states[state], lane, idBytes(id)];
  const from = due.from ? ' AND due_at >= ?' : '';
  const before = due.before ? ' AND due_at < ?' : '';
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT id FROM ${table} FORCE INDEX (claim) WHERE leased = ? AND lane = ? AND partition_id = ?${from}${before}
     ORDER BY due_at, id LIMIT ? FOR UPDATE`,
    [...parameters, ...(due.from ? [due.from] : []), ...(due.before ? [due.before] : []), limit],
  );
  return rows.map(({ id }) => idText(id));
}

/** Holds or releases rows that `lockRows` has locked. */
export async function setHeld(
  db: Session,
  { table }: Pick<QueueRef, 'table'>,
  ids: readonly string[],
  isHeld: boolean,
): Promise<void> {
  await db.run(`UPDATE ${table} FORCE INDEX (PRIMARY) SET leased = ? WHERE id IN (?)`, [
    isHeld ? states.held : states.waiting,
    ids.map(idBytes),
  ]);
}

/** Removes held rows whose work was cancelled. */
export async function removeHeld(
  db: Session,
  { table }: Pick<QueueRef, 'table'>,
  ids: readonly string[],
): Promise<void> {
  await db.run(`DELETE FROM ${table} WHERE id IN (?) AND leased = ${held}`, [ids.map(idBytes)]);
}

/** The held rows among these. */
export async function heldIds(
  db: Pick<ReadSession, 'rows'>,
  { table }: Pick<QueueRef, 'table'>,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.rows<{ id: Buffer }>(`SELECT id FROM ${table} WHERE id IN (?) AND leased = ${held}`, [
    ids.map(idBytes),
  ]);
  return new Set(rows.map(({ id }) => idText(id)));
}
