import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { insertInto, joined } from '#core/runtime/database/statement.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { enqueueStatement, type Lane } from '#core/runtime/work/queue.js';
import type { WebhookDelivery } from '../resources.js';
import { deliveries, type DeliveryRow } from '../tables/delivery.js';

export const deliveryQueue = { name: 'developers.webhook.delivery', table: 'developers_webhook_queue' } as const;

/** A delivery as replies and events carry it. @param leased a worker is attempting it */
export const presentDelivery = (row: DeliveryRow, leased = false): ValueOf<typeof WebhookDelivery> => ({
  deliveryId: row.id,
  endpointId: row.endpointId,
  eventId: row.eventId,
  eventType: row.eventType,
  attempt: row.attempt,
  status: row.status === 'queued' && leased ? 'delivering' : row.status,
  responseStatus: row.responseStatus,
  error: row.error,
  durationMs: row.durationMs,
  scheduledAt: row.scheduledAt.toISOString(),
  attemptedAt: row.attemptedAt?.toISOString() ?? null,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  replayOf: row.replayOf,
});

/** A delivery that is yet to be attempted. */
export const plannedDelivery = (
  facts: Pick<DeliveryRow, 'id' | 'environmentId' | 'endpointId' | 'eventId' | 'eventType' | 'scheduledAt'> &
    Partial<Pick<DeliveryRow, 'chainId' | 'attempt' | 'replayOf'>>,
): DeliveryRow => ({
  chainId: facts.id,
  attempt: 1,
  replayOf: null,
  ...facts,
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

/** What a planned delivery has of columns: the others are null until its attempt, and need not travel. */
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

/** The columns of a row, always in the same order, for statements over many rows. */
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

/** Rows of one statement. */
const rowsAtOnce = 500;

/** Writes deliveries and queues them; the queue is fair between endpoints. */
export async function queueDeliveries(
  db: Session,
  rows: readonly DeliveryRow[],
  lane: Lane = 'transactional',
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const some = rows.slice(start, start + rowsAtOnce);
    const { sql, parameters } = joined([
      insertInto('developers_delivery', some.map(plannedColumns)),
      enqueueStatement(
        deliveryQueue,
        some.map(({ id, endpointId, scheduledAt }) => ({ id, partitionId: endpointId, lane, dueAt: scheduledAt })),
      ),
    ]);
    await db.defer(sql, parameters);
  }
}

/** @throws not_found for another environment's delivery, exactly as for one that does not exist */
export async function findDelivery(
  db: Session,
  caller: TenantCaller,
  deliveryId: string,
  fail: ErrorMakers<'not_found', SvcError>,
): Promise<DeliveryRow> {
  const row = await db.findOne(deliveries, { id: deliveryId, environmentId: caller.environment.id });
  if (!row) throw fail.not_found({ thing: 'delivery', lookup: 'developers.webhook.deliveries.list' });
  return row;
}
