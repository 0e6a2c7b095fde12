import type { WorkerServices } from '#core/kernel/worker-services.js';
import { ownLease } from './lease-delivery.js';
import { deliveries, type DeliveryRow } from '../tables/delivery.js';
import { attempt } from './attempt.js';
import { loadDeliveries } from './load.js';
import { recordOutcomes } from './record.js';

/** Attempts a delivery that the caller holds (see holdDelivery), and records it. @returns its row afterwards */
export async function attemptHeld(workerServices: WorkerServices, deliveryId: string): Promise<DeliveryRow | null> {
  const [loaded] = await loadDeliveries(workerServices, [deliveryId]);
  if (loaded) {
    const attempted = await attempt(workerServices, loaded);
    await recordOutcomes(workerServices, [
      { claim: { id: deliveryId, leaseToken: ownLease(deliveryId) }, loaded, attempted },
    ]);
  }
  return workerServices.database.findOne(deliveries, { id: deliveryId });
}
