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

/** The statement's result for a refused call; for an accepted call it is the call's own count. */
const refused = 2_000_000_000;

/**
 * Counts a call against a limit whose window begins with its first call. One statement decides, so exactly `max` concurrent calls pass on any
 * number of nodes (reading before writing let 15 instead of 5 pass, measured). Calls over the limit are not counted: raising `max`
 * admits that many more calls at once. A shortened window ends no later than a new one would.
 * @returns seconds to wait when the limit is reached, else 0
 */
export async function countAgainst(db: Session, limit: CountedLimit): Promise<number> {
  return (await countAgainstAll(db, [limit]))?.seconds ?? 0;
}

/**
 * Counts a call against several limits, in one round trip. A call that one of them refuses does not count against those after it: that costs
 * another statement, on refused calls alone.
 * @returns the first limit that is reached and the seconds to wait; undefined where none is
 */
export async function countAgainstAll<L extends CountedLimit>(
  db: Session,
  limits: readonly L[],
): Promise<{ limit: L; seconds: number } | undefined> {
  const never = limits.findIndex(({ max }) => max < 1);
  const counted = never < 0 ? limits : limits.slice(0, never);
  const insertIds = counted.length === 0 ? [] : await insertIdsOf(db, counted.map(countStatement));
  const reached = insertIds.findIndex((id) => id >= refused);
  const limit = limits[reached < 0 ? never : reached];
  if (!limit) return undefined;
  const wrongly = counted.filter((_, index) => reached >= 0 && index > reached && (insertIds[index] ?? 0) < refused);
  if (wrongly.length > 0)
    await db.run('UPDATE svc_limit SET hits = hits - 1 WHERE id IN (?) AND hits > 0', [wrongly.map(idOf)]);
  return { limit, seconds: limit.max < 1 ? limit.windowSeconds : await secondsToWait(db, limit) };
}

/** How many more calls a limit lets through in its running window. */
export async function hitsLeft(db: ReadSession, limit: CountedLimit): Promise<number> {
  const [row] = await db.rows<{ hits: number }>('SELECT hits FROM svc_limit WHERE id = ? AND resets_at > ?', [
    idOf(limit),
    limit.now,
  ]);
  return Math.max(0, limit.max - (row?.hits ?? 0));
}

const idOf = ({ key }: CountedLimit): Buffer => sha256(key);
const resetsAtOf = ({ now, windowSeconds }: CountedLimit): Date => new Date(now.getTime() + windowSeconds * 1000);

/** LAST_INSERT_ID(expr) returns a number with the statement's result; for a new row it is 0. */
function countStatement(limit: CountedLimit): Statement {
  const { max, now } = limit;
  const resetsAt = resetsAtOf(limit);
  return {
    sql: `INSERT INTO svc_limit (id, hits, resets_at) VALUES (?, 1, ?)
     ON DUPLICATE KEY UPDATE
       hits = IF(resets_at <= ?, LAST_INSERT_ID(1), IF(hits < ?, LAST_INSERT_ID(hits + 1), hits + 0 * LAST_INSERT_ID(?))),
       resets_at = IF(resets_at <= ?, ?, LEAST(resets_at, ?))`,
    parameters: [idOf(limit), resetsAt, now, max, refused, now, resetsAt, resetsAt],
  };
}

async function insertIdsOf(db: Session, statements: readonly Statement[]): Promise<number[]> {
  const { sql, parameters } = joined(statements);
  if (statements.length === 1) return [(await db.run(sql, parameters)).insertId];
  const outcomes = await db.batch(sql, parameters);
  return outcomes.map((outcome) => ('insertId' in outcome ? outcome.insertId : 0));
}

async function secondsToWait(db: Session, limit: CountedLimit): Promise<number> {
  const [row] = await db.rows<{ resets_at: Date }>('SELECT resets_at FROM svc_limit WHERE id = ?', [idOf(limit)]);
  const resetsAt = row?.resets_at ?? resetsAtOf(limit);
  return Math.max(1, Math.ceil((resetsAt.getTime() - limit.now.getTime()) / 1000));
}
