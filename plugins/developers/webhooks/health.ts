import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';

export interface Health {
  delivered: number;
  failed: number;
  dead: number;
  queued: number;
  lastDeliveredAt: string | null;
  lastFailedAt: string | null;
  medianDurationMs: number | null;
}

/** How an endpoint does, from its deliveries. Each part is a range of one index. */
export async function healthOf(db: Session, endpointId: string): Promise<Health> {
  const endpoint = idBytes(endpointId);
  const counts = await db.rows<{ status: Buffer; found: number }>(
    'SELECT status, COUNT(*) AS found FROM developers_delivery WHERE endpoint_id = ? GROUP BY status',
    [endpoint],
  );
  const countOf = (status: string): number => counts.find((row) => row.status.toString() === status)?.found ?? 0;
  const last = async (status: string): Promise<Date | null> => {
    // The row made last is not the one attempted last: a retry stands in its row for up to a day before its time comes.
    const [row] = await db.rows<{ last: Date | null }>(
      `SELECT MAX(newest.attempted_at) AS last FROM (
         SELECT attempted_at FROM developers_delivery WHERE endpoint_id = ? AND status = ? ORDER BY id DESC LIMIT 1000
       ) AS newest`,
      [endpoint, Buffer.from(status)],
    );
    return row?.last ?? null;
  };
  const durations = await db.rows<{ duration_ms: number | null }>(
    "SELECT duration_ms FROM developers_delivery WHERE endpoint_id = ? AND status = 'delivered' ORDER BY id DESC LIMIT 100",
    [endpoint],
  );
  const sorted = durations.map((row) => row.duration_ms ?? 0).sort((a, b) => a - b);
  const failures = [await last('failed'), await last('dead')]
    .filter((at) => at !== null)
    .sort((a, b) => b.getTime() - a.getTime());
  return {
    delivered: countOf('delivered'),
    failed: countOf('failed'),
    dead: countOf('dead'),
    queued: countOf('queued'),
    lastDeliveredAt: (await last('delivered'))?.toISOString() ?? null,
    lastFailedAt: failures[0]?.toISOString() ?? null,
    medianDurationMs: sorted[Math.floor(sorted.length / 2)] ?? null,
  };
}
