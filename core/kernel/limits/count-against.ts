import type { Session } from '#core/runtime/database/session.js';
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
export async function countAgainst(db: Session, { key, max, windowSeconds, now }: CountedLimit): Promise<number> {
  if (max < 1) return windowSeconds;
  const id = sha256(key);
  const resetsAt = new Date(now.getTime() + windowSeconds * 1000);
  // LAST_INSERT_ID(expr) returns a number with the statement's result; for a new row it is 0.
  const { insertId } = await db.run(
    `INSERT INTO svc_limit (id, hits, resets_at) VALUES (?, 1, ?)
     ON DUPLICATE KEY UPDATE
       hits = IF(resets_at <= ?, LAST_INSERT_ID(1), IF(hits < ?, LAST_INSERT_ID(hits + 1), hits + 0 * LAST_INSERT_ID(?))),
       resets_at = IF(resets_at <= ?, ?, LEAST(resets_at, ?))`,
    [id, resetsAt, now, max, refused, now, resetsAt, resetsAt],
  );
  if (insertId < refused) return 0;
  const [row] = await db.rows<{ resets_at: Date }>('SELECT resets_at FROM svc_limit WHERE id = ?', [id]);
  return Math.max(1, Math.ceil(((row?.resets_at ?? resetsAt).getTime() - now.getTime()) / 1000));
}
