import { idList } from '#core/runtime/database/literal.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { deliveryQueue } from '../tables/delivery.js';
import { matchesFilter } from '../webhooks/matching.js';

/** The largest number of deliveries that one call makes due, because it holds locks until it commits. */
const mostEnded = 10_000;
/** The largest number of rows in one statement. */
const rowsPerStatement = 1_000;

/**
 * Ends the wait of deliveries for their next attempt: they are due now.
 * @returns the number of those that waited; the others are due already, are being delivered or have ended
 */
export async function endWaits(db: Session, ids: readonly string[], now: Date): Promise<number> {
  let ended = 0;
  for (let start = 0; start < ids.length; start += rowsPerStatement) {
    const chunk = idList(ids.slice(start, start + rowsPerStatement));
    const { affectedRows } = await db.run(
      `UPDATE ${deliveryQueue.table} SET due_at = ? WHERE id IN (?) AND leased = 0 AND due_at > ?`,
      [now, chunk, now],
    );
    ended += affectedRows;
    if (affectedRows > 0)
      await db.run(
        "UPDATE developers_delivery SET scheduled_at = ? WHERE id IN (?) AND status = 'queued' AND scheduled_at > ?",
        [now, chunk, now],
      );
  }
  return ended;
}

/** Ends the waits of an endpoint's deliveries, at most 10,000. @returns the number of deliveries that waited */
export async function endWaitsOf(
  db: Session,
  { endpointId, types, now }: { endpointId: string; types: readonly string[]; now: Date },
): Promise<number> {
  const rows = await db.rows<{ id: Buffer; event_type: Buffer }>(
    `SELECT w.id, d.event_type FROM ${deliveryQueue.table} w JOIN developers_delivery d ON d.id = w.id
     WHERE w.leased = 0 AND w.lane IN (0, 1, 2) AND w.partition_id = ? AND w.due_at > ? LIMIT ?`,
    [idBytes(endpointId), now, mostEnded],
  );
  const matching = rows.filter((row) => matchesFilter(types, row.event_type.toString()));
  return endWaits(
    db,
    matching.map(({ id }) => idText(id)),
    now,
  );
}
