import { insertInto, joined } from '#core/runtime/database/statement.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { workRow } from '#core/runtime/work/queue.js';
import type { DeliveryRow } from '../tables/delivery.js';
import { deliveryColumns, deliveryQueue } from './list.js';

/** Longer than an attempt takes, shorter than anybody waits. */
const holdSeconds = 30;

/** The lease of a delivery that the call which made it attempts itself. */
export const ownLease = (deliveryId: string): Buffer => idBytes(deliveryId);

/** Writes a delivery that its caller holds from the beginning. */
export async function holdDelivery(db: Session, delivery: DeliveryRow): Promise<void> {
  const place = workRow({
    id: delivery.id,
    partitionId: delivery.endpointId,
    lane: 'transactional',
    dueAt: delivery.scheduledAt,
  });
  const { sql, parameters } = joined([
    insertInto('developers_delivery', [deliveryColumns(delivery)]),
    insertInto(deliveryQueue.table, [{ ...place, attempts: 1, leased: 1, lease_token: ownLease(delivery.id) }]),
    {
      sql: `UPDATE ${deliveryQueue.table} SET lease_until = NOW(3) + INTERVAL ? SECOND WHERE id = ?`,
      parameters: [holdSeconds, idBytes(delivery.id)],
    },
  ]);
  await db.run(sql, parameters);
}
