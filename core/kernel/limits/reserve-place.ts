import type { Session } from '#core/runtime/database/session.js';
import { sha256 } from '#core/runtime/secrets/digest.js';

/** How often something may happen: `burst` times immediately, and once in each interval after that. */
export interface Rate {
  /** What is counted and for whom; hashed before it is stored. */
  readonly key: string;
  readonly burst: number;
  readonly intervalMs: number;
}

/**
 * Takes the next free place in each rate, by the generic cell rate algorithm (ITU-T I.371 Annex A): a rate stores when
 * it would be idle again, and each place moves that time by an interval. Places are taken in turn, so no waiting caller
 * is overtaken. A place that is taken in a transaction that rolls back is free again.
 * @param latest the latest time of a place: a message that would wait longer exceeds the rate
 * @returns the time of the place, which is `now` if all rates have one left
 */
export async function reservePlaces(
  db: Session,
  rates: readonly Rate[],
  { now, latest }: { now: Date; latest: Date },
): Promise<Date> {
  const keys = rates.map(({ key }) => sha256(key));
  for (const [index, { burst, intervalMs }] of rates.entries()) {
    // `resets_at` is when the rate is idle again; the row is deleted after that (core/platform/housekeeping.ts).
    await db.defer({
      sql: `INSERT INTO svc_limit (id, hits, resets_at) VALUES (?, 1, ?) ON DUPLICATE KEY UPDATE
         resets_at = LEAST(GREATEST(resets_at, CAST(? AS DATETIME(3))) + INTERVAL ? MICROSECOND, CAST(? AS DATETIME(3)))`,
      parameters: [
        keys[index] ?? null,
        new Date(now.getTime() + intervalMs),
        now,
        Math.round(intervalMs * 1_000),
        new Date(latest.getTime() + burst * intervalMs),
      ],
    });
  }
  const rows = await db.rows<{ id: Buffer; resets_at: Date }>('SELECT id, resets_at FROM svc_limit WHERE id IN (?)', [
    keys,
  ]);
  const places = rates.map(({ burst, intervalMs }, index) => {
    const idleAt = rows.find(({ id }) => keys[index]?.equals(id))?.resets_at ?? now;
    return idleAt.getTime() - burst * intervalMs;
  });
  return new Date(Math.max(now.getTime(), ...places));
}
