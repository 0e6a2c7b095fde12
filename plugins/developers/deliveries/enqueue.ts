import { joined } from '#core/runtime/database/statement.js';
import type { Session } from '#core/runtime/database/session.js';
import { enqueueStatement, type Lane } from '#core/runtime/work/queue.js';
import { deliveries, deliveryQueue, type DeliveryRow } from '../tables/delivery.js';

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
  signatureBefore: null,
  standardSignature: null,
  standardSignatureBefore: null,
  url: null,
  responseStatus: null,
  responseHeaders: null,
  responseBody: null,
  error: null,
  durationMs: null,
  attemptedAt: null,
  nextAttemptAt: null,
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
    await db.defer(
      joined([
        deliveries.insertRows(chunk),
        enqueueStatement(
          deliveryQueue,
          chunk.map(({ id, endpointId, scheduledAt }) => ({ id, partitionId: endpointId, lane, dueAt: scheduledAt })),
        ),
      ]),
    );
  }
}
