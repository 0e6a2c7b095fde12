import { insertInto, joined } from '#core/runtime/database/statement.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { workRow } from '#core/runtime/work/queue.js';
import { deliveries, type DeliveryRow, deliveryQueue } from '../tables/delivery.js';

/** Longer than an attempt can take (15 s). */
const ownLeaseSeconds = 30;

/** The lease token of a delivery that is attempted by the call that creates it. */
export const ownLease = (deliveryId: string): Buffer => idBytes(deliveryId);

/** Queues a delivery that is leased to its caller, so that no worker attempts it unless the lease expires. */
export async function queueLeased(db: Session, delivery: DeliveryRow): Promise<void> {
  const queueRow = workRow({
    id: delivery.id,
    partitionId: delivery.endpointId,
    lane: 'transactional',
    dueAt: delivery.scheduledAt,
  });
  await db.run(
    joined([
      deliveries.insertRows([delivery]),
      insertInto(deliveryQueue.table, [{ ...queueRow, attempts: 1, leased: 1, lease_token: ownLease(delivery.id) }]),
      {
        sql: `UPDATE ${deliveryQueue.table} SET lease_until = NOW(3) + INTERVAL ? SECOND WHERE id = ?`,
        parameters: [ownLeaseSeconds, idBytes(delivery.id)],
      },
    ]),
  );
}
