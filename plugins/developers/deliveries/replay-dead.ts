import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { plannedDelivery, enqueueDeliveries } from './enqueue.js';
import { matchesFilter } from '../webhooks/matching.js';

interface Dead {
  id: Buffer;
  environment_id: Buffer;
  event_id: Buffer;
  event_type: Buffer;
}

const pageSize = 1_000;
/** The largest number of deliveries that one call queues, because it holds locks until it commits. */
const maxReplayed = 10_000;

/**
 * Queues new deliveries for an endpoint's dead ones, oldest first, at most 10,000. Works in pages to bound
 * memory. Lock the endpoint's row before calling it, because concurrent calls would send deliveries twice.
 * @returns the number of queued deliveries
 */
export async function replayDead(
  db: Session,
  { endpointId, since, types, now }: { endpointId: string; since: Date | null; types: readonly string[]; now: Date },
): Promise<number> {
  let replayed = 0;
  for (let after: Buffer = Buffer.alloc(16); ;) {
    const rows = await db.rows<Dead>(
      `SELECT d.id, d.environment_id, d.event_id, d.event_type FROM developers_delivery d
       WHERE d.endpoint_id = ? AND d.status = 'dead' AND d.id > ?
       AND (? IS NULL OR EXISTS (SELECT 1 FROM developers_delivery f WHERE f.id = d.chain_id AND f.scheduled_at >= ?))
       AND NOT EXISTS (SELECT 1 FROM developers_delivery r WHERE r.replay_of = d.id)
       ORDER BY d.id LIMIT ?`,
      [idBytes(endpointId), after, since, since, pageSize],
    );
    const last = rows.at(-1);
    if (!last) return replayed;
    after = last.id;
    const matching = rows
      .filter((row) => matchesFilter(types, row.event_type.toString()))
      .slice(0, maxReplayed - replayed);
    await enqueueDeliveries(
      db,
      matching.map((row) =>
        plannedDelivery({
          id: newId(),
          environmentId: idText(row.environment_id),
          endpointId,
          eventId: idText(row.event_id),
          eventType: row.event_type.toString(),
          scheduledAt: now,
          replayOf: idText(row.id),
        }),
      ),
    );
    replayed += matching.length;
    if (replayed >= maxReplayed) return replayed;
  }
}
