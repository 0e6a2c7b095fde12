import { insertInto, joined } from '#core/runtime/database/statement.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { enqueueStatement, type Lane } from '#core/runtime/work/queue.js';
import type { DeliveryRow } from '../tables/delivery.js';

/** The queue of deliveries that are due, and its table. */
export const deliveryQueue = { name: 'developers.webhook.delivery', table: 'developers_webhook_queue' } as const;

/** Builds the row of a delivery that has not been attempted. */
export const plannedDelivery = (
  fields: Pick<DeliveryRow, 'id' | 'environmentId' | 'endpointId' | 'eventId' | 'eventType' | 'scheduledAt'> &
    Partial<Pick<DeliveryRow, 'chainId' | 'attempt' | 'replayOf'>>,
): DeliveryRow => ({
  chainId: fields.id,
  attempt: 1,
  replayOf: null,
  ...fields,
  status: 'queued',
  signedAt: null,
  signature: null,
  url: null,
  responseStatus: null,
  responseHeaders: null,
  responseBody: null,
  error: null,
  durationMs: null,
  attemptedAt: null,
  nextAttemptAt: null,
});

/** The columns of a planned delivery. The others are null until the attempt and are left out of the INSERT. */
const plannedColumns = (row: DeliveryRow): Record<string, SqlValue> => ({
  id: idBytes(row.id),
  environment_id: idBytes(row.environmentId),
  endpoint_id: idBytes(row.endpointId),
  event_id: idBytes(row.eventId),
  event_type: Buffer.from(row.eventType),
  chain_id: idBytes(row.chainId),
  attempt: row.attempt,
  status: Buffer.from(row.status),
  replay_of: row.replayOf === null ? null : idBytes(row.replayOf),
  scheduled_at: row.scheduledAt,
});

/** All columns of a row, always in the same order, for statements over many rows. */
export const deliveryColumns = (row: DeliveryRow): Record<string, SqlValue> => ({
  ...plannedColumns(row),
  signed_at: row.signedAt,
  signature: row.signature,
  url: row.url === null ? null : Buffer.from(row.url),
  response_status: row.responseStatus,
  response_headers: row.responseHeaders,
  response_body: row.responseBody,
  error: row.error,
  duration_ms: row.durationMs,
  attempted_at: row.attemptedAt,
  next_attempt_at: row.nextAttemptAt,
});

/** The largest number of rows in one statement. */
const rowsPerStatement = 500;

/** Inserts deliveries and queues them. The queue is partitioned by endpoint. */
export async function enqueueDeliveries(
  db: Session,
  rows: readonly DeliveryRow[],
  lane: Lane = 'transactional',
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const chunk = rows.slice(start, start + rowsPerStatement);
    const { sql, parameters } = joined([
      insertInto('developers_delivery', chunk.map(plannedColumns)),
      enqueueStatement(
        deliveryQueue,
        chunk.map(({ id, endpointId, scheduledAt }) => ({ id, partitionId: endpointId, lane, dueAt: scheduledAt })),
      ),
    ]);
    await db.defer(sql, parameters);
  }
}
