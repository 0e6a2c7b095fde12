import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { WebhookRow } from '../tables/webhook.js';

/** The event of developers.webhook.test. Its delivery is attempted once and does not affect the endpoint's health. */
export const testEvent = 'developers.webhook.test';

interface Health {
  delivered: number;
  failed: number;
  dead: number;
  queued: number;
  lastDeliveredAt: string | null;
  lastFailedAt: string | null;
  failingSince: string | null;
  medianDurationMs: number | null;
}

/**
 * Computes an endpoint's health from its deliveries, except those of developers.webhook.test. Every query reads a range
 * of one index.
 */
export async function healthOf(
  db: Pick<ReadSession, 'rows'>,
  { id, environmentId, failingSince }: Pick<WebhookRow, 'id' | 'environmentId' | 'failingSince'>,
): Promise<Health> {
  const endpoint = idBytes(id);
  const counts = await db.rows<{ status: Buffer; found: number }>(
    'SELECT status, COUNT(*) AS found FROM developers_delivery WHERE endpoint_id = ? GROUP BY status',
    [endpoint],
  );
  // Count tests separately through their few events: a condition on the type would read every delivery row.
  const tests = await db.rows<{ status: Buffer; found: number }>(
    `SELECT d.status, COUNT(*) AS found FROM svc_event v FORCE INDEX (type)
     STRAIGHT_JOIN developers_delivery d FORCE INDEX (event) ON d.event_id = v.id
     WHERE v.environment_id = ? AND v.type = ? AND d.endpoint_id = ? GROUP BY d.status`,
    [idBytes(environmentId), Buffer.from(testEvent), endpoint],
  );
  const find = (rows: typeof counts, status: string): number =>
    rows.find((row) => row.status.toString() === status)?.found ?? 0;
  const countOf = (status: string): number => find(counts, status) - find(tests, status);
  const durations = await db.rows<{ duration_ms: number | null }>(
    `SELECT duration_ms FROM developers_delivery WHERE endpoint_id = ? AND status = 'delivered' AND event_type <> ?
     ORDER BY id DESC LIMIT 100`,
    [endpoint, Buffer.from(testEvent)],
  );
  const sorted = durations.map((row) => row.duration_ms ?? 0).sort((a, b) => a - b);
  const delivered = await lastAttemptAt(db, id, 'delivered');
  const failures = [await lastAttemptAt(db, id, 'failed'), await lastAttemptAt(db, id, 'dead')]
    .filter((at) => at !== null)
    .sort((a, b) => b.getTime() - a.getTime());
  return {
    delivered: countOf('delivered'),
    failed: countOf('failed'),
    dead: countOf('dead'),
    queued: countOf('queued'),
    lastDeliveredAt: delivered?.toISOString() ?? null,
    lastFailedAt: failures[0]?.toISOString() ?? null,
    // A success is not recorded in the endpoint's row while a call holds it.
    failingSince: delivered && failingSince && delivered > failingSince ? null : (failingSince?.toISOString() ?? null),
    medianDurationMs: sorted[Math.floor(sorted.length / 2)] ?? null,
  };
}

/** When the last attempt was made of the deliveries with a status; tests do not count. */
export async function lastAttemptAt(
  db: Pick<ReadSession, 'rows'>,
  endpointId: string,
  status: 'delivered' | 'failed' | 'dead',
): Promise<Date | null> {
  // The newest row is not always the latest attempt, because the row of a retry is written up to a day before it is
  // due.
  const [row] = await db.rows<{ last: Date | null }>(
    `SELECT MAX(newest.attempted_at) AS last FROM (
       SELECT attempted_at FROM developers_delivery WHERE endpoint_id = ? AND status = ? AND event_type <> ?
       ORDER BY id DESC LIMIT 1000
     ) AS newest`,
    [idBytes(endpointId), Buffer.from(status), Buffer.from(testEvent)],
  );
  return row?.last ?? null;
}

/** Counts the attempts that have failed since a time, to 200 at most; tests do not count. */
export async function failuresSince(db: Pick<ReadSession, 'rows'>, endpointId: string, since: Date): Promise<number> {
  const newest = `(SELECT attempted_at FROM developers_delivery WHERE endpoint_id = ? AND status = ? AND event_type <> ?
    ORDER BY id DESC LIMIT 100)`;
  const [row] = await db.rows<{ failures: number }>(
    `SELECT COUNT(*) AS failures FROM (${newest} UNION ALL ${newest}) AS newest WHERE newest.attempted_at > ?`,
    [
      ...['failed', 'dead'].flatMap((status) => [idBytes(endpointId), Buffer.from(status), Buffer.from(testEvent)]),
      since,
    ],
  );
  return row?.failures ?? 0;
}
