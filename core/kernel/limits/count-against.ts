import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { sha256 } from '#core/runtime/secrets/digest.js';

export interface CountedLimit {
  /** What is counted and for whom; hashed before it is stored. */
  key: string;
  max: number;
  windowSeconds: number;
  now: Date;
}

/**
 * LAST_INSERT_ID() after the statement of a refused call; after the statement of an accepted call it is the call's own
 * count.
 */
const refused = 2_000_000_000;

/**
 * Counts a call against a limit whose window begins with its first call. One statement decides, so exactly `max`
 * concurrent calls pass on any number of nodes (reading before writing let 15 instead of 5 pass, measured). Calls over
 * the limit are not counted: raising `max` allows that many more calls immediately. A shortened window ends no later
 * than a new one would.
 * @returns seconds to wait if the limit is reached, otherwise 0
 */
export async function countAgainst(db: Session, limit: CountedLimit): Promise<number> {
  return (await countAgainstAll(db, [limit]))?.seconds ?? 0;
}

/** A limit of `countShared`. */
interface SharedLimit extends CountedLimit {
  /** False for a limit that callers have no shares of, such as one of the recipient. */
  readonly hasShares?: boolean;
}

/** A limit that a call has reached. */
interface ReachedLimit<L extends CountedLimit> {
  readonly limit: L;
  /** Until its window ends. */
  readonly seconds: number;
}

/**
 * Counts a call against several limits, in one round trip. A call that one of them refuses does not count against those
 * after it, not even for a moment, because another call would be refused in its place.
 * @returns the first limit that is reached; undefined if none is
 */
export const countAgainstAll = async <L extends CountedLimit>(
  db: Session,
  limits: readonly L[],
): Promise<ReachedLimit<L> | undefined> => (await count(db, limits)).reached;

/**
 * Takes back what this transaction has counted against some limits, for calls that count only if they fail. Until the
 * transaction ends, other calls that count against these limits wait, so none is refused or accepted by a count that is
 * taken back. A window without counts ends, so that the next count begins a new one.
 * @param limits those that `countAgainstAll` has just counted, none of which was reached
 */
export const takeBackCounts = (db: Session, limits: readonly CountedLimit[]): Promise<void> =>
  db.defer(
    joined(
      limits.map((limit) => ({
        sql: 'UPDATE svc_limit SET resets_at = IF(hits <= 1, ?, resets_at), hits = hits - 1 WHERE id = ? AND hits > 0',
        parameters: [limit.now, idOf(limit)],
      })),
    ),
  );

/**
 * Forgets what some limits have counted: their next call begins a new window.
 * @param keys those of the limits
 * @returns how many of them had counted something
 */
export async function forgetCounts(db: Session, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const { affectedRows } = await db.run('DELETE FROM svc_limit WHERE id IN (?)', [keys.map(sha256)]);
  return affectedRows;
}

/**
 * The share of the rest of a limit that one caller may use: a quarter. A single caller gets a fifth of it, ten share 71
 * %.
 */
const shareOfRest = 4;

/**
 * Counts a call against limits that many callers share, and refuses the caller who has used more than their share: a
 * quarter of the rest of each limit, and at least one call. So one caller cannot use a limit up: of 500 calls, a single
 * caller gets 100, and a hundred callers who try to use all of them get 4 each and leave 100. Refused calls count until
 * the transaction is rolled back, so throw the refusal.
 * @param db the transaction of the call
 * @param caller the caller whose share it counts towards; null for callers who have none, such as servers with a secret
 *   key
 * @returns the limit that is reached, or whose share is used up; undefined if none is
 */
export async function countShared<L extends SharedLimit>(
  db: Session,
  limits: readonly L[],
  caller: string | null,
): Promise<(ReachedLimit<L> & { readonly isShare: boolean }) | undefined> {
  const { counts, reached } = await count(db, limits);
  if (reached) return { ...reached, isShare: false };
  if (caller === null) return undefined;
  const shares = limits.flatMap((limit, index) => {
    if (limit.hasShares === false) return [];
    const left = limit.max - (counts[index] ?? 0) + 1;
    return [{ ...limit, key: `${limit.key}|${caller}`, max: Math.max(1, Math.floor(left / shareOfRest)) }];
  });
  const own = await countAgainstAll(db, shares);
  return own && { ...own, isShare: true };
}

/**
 * @returns the number of calls that each limit has counted, this one included, up to the first limit that is reached
 */
async function count<L extends CountedLimit>(
  db: Session,
  limits: readonly L[],
): Promise<{ counts: readonly number[]; reached: ReachedLimit<L> | undefined }> {
  const never = limits.findIndex(({ max }) => max < 1);
  const counted = never < 0 ? limits : limits.slice(0, never);
  const statements = counted.map((each, index) => countStatement(each, index === 0));
  const counts = statements.length === 0 ? [] : await insertIdsOf(db, statements);
  const found = counts.findIndex((id) => id >= refused);
  const limit = limits[found < 0 ? never : found];
  if (!limit) return { counts, reached: undefined };
  const seconds = limit.max < 1 ? limit.windowSeconds : await secondsToWait(db, limit);
  return { counts, reached: { limit, seconds } };
}

/**
 * The largest difference allowed between the clocks of two nodes. In practice it is smaller, because both follow the
 * database's clock.
 */
const slackSeconds = 60;

/**
 * How many more calls a limit lets through in its running window. A window that ends later than a new one would is
 * ignored, as in `reachedOf`.
 */
export async function hitsLeft(db: ReadSession, limit: CountedLimit): Promise<number> {
  const [row] = await db.rows<{ hits: number }>(
    'SELECT hits FROM svc_limit WHERE id = ? AND resets_at > ? AND resets_at <= ?',
    [idOf(limit), limit.now, new Date(resetsAtOf(limit).getTime() + slackSeconds * 1000)],
  );
  return Math.max(0, limit.max - (row?.hits ?? 0));
}

/** What some limits have counted, as it was read. */
export type StoredCounts = readonly { id: Buffer; hits: number; resets_at: Date }[];

/** Reads what limits have counted, for `firstReached`. @param keys those of the limits */
export const readCounts = (db: ReadSession, keys: readonly string[]): Promise<StoredCounts> =>
  db.rows<StoredCounts[number]>('SELECT id, hits, resets_at FROM svc_limit WHERE id IN (?)', [keys.map(sha256)]);

/**
 * The first of several limits that is reached, and the seconds to wait. A window that ends later than a new one would
 * was begun while the clock was ahead: it is ignored, and the next call that is counted ends it in time.
 * @param counts read for these limits
 * @returns undefined if none is reached
 */
export function firstReached<L extends CountedLimit>(
  limits: readonly L[],
  counts: StoredCounts,
): ReachedLimit<L> | undefined {
  for (const limit of limits) {
    const row = counts.find(({ id }) => id.equals(idOf(limit)));
    const seconds = row ? Math.ceil((row.resets_at.getTime() - limit.now.getTime()) / 1000) : 0;
    if (row && row.hits >= limit.max && seconds > 0 && seconds <= limit.windowSeconds + slackSeconds)
      return { limit, seconds };
  }
  return undefined;
}

/**
 * The first of several limits that is reached now, in one read. It counts nothing: it is for attempts that count only
 * after they prove wrong.
 * @returns undefined if none is reached
 */
export const reachedOf = async <L extends CountedLimit>(
  db: ReadSession,
  limits: readonly L[],
): Promise<ReachedLimit<L> | undefined> =>
  firstReached(
    limits,
    await readCounts(
      db,
      limits.map(({ key }) => key),
    ),
  );

const idOf = ({ key }: CountedLimit): Buffer => sha256(key);
const resetsAtOf = ({ now, windowSeconds }: CountedLimit): Date => new Date(now.getTime() + windowSeconds * 1000);

/**
 * LAST_INSERT_ID(expr) returns a number with the statement's result, and keeps it for the next statement of the
 * connection, which counts nothing if this one refused.
 */
function countStatement(limit: CountedLimit, isFirst: boolean): Statement {
  const { max, now } = limit;
  const resetsAt = resetsAtOf(limit);
  return {
    sql: `INSERT INTO svc_limit (id, hits, resets_at) SELECT ?, LAST_INSERT_ID(1), ? FROM DUAL WHERE ${isFirst ? 'TRUE' : `LAST_INSERT_ID() < ${refused}`}
     ON DUPLICATE KEY UPDATE
       hits = IF(resets_at <= ?, LAST_INSERT_ID(1), IF(hits < ?, LAST_INSERT_ID(hits + 1), hits + 0 * LAST_INSERT_ID(?))),
       resets_at = IF(resets_at <= ?, ?, LEAST(resets_at, ?))`,
    parameters: [idOf(limit), resetsAt, now, max, refused, now, resetsAt, resetsAt],
  };
}

async function insertIdsOf(db: Session, statements: readonly Statement[]): Promise<number[]> {
  const statement = joined(statements);
  if (statements.length === 1) return [(await db.run(statement)).insertId];
  const outcomes = await db.batch(statement);
  return outcomes.map((outcome) => ('insertId' in outcome ? outcome.insertId : 0));
}

async function secondsToWait(db: Session, limit: CountedLimit): Promise<number> {
  const [row] = await db.rows<{ resets_at: Date }>('SELECT resets_at FROM svc_limit WHERE id = ?', [idOf(limit)]);
  const resetsAt = row?.resets_at ?? resetsAtOf(limit);
  return Math.max(1, Math.ceil((resetsAt.getTime() - limit.now.getTime()) / 1000));
}
