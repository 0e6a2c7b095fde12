import type { WorkerServices } from '#core/kernel/worker-services.js';
import { ownLease } from './lease-delivery.js';
import { deliveries, type DeliveryRow } from '../tables/delivery.js';
import { attempt } from './attempt.js';
import { loadDeliveries } from './load.js';
import { loadToSign } from './load-to-sign.js';
import { recordOutcomes } from './record.js';

/**
 * Attempts a delivery that the caller leased with `queueLeased`, and records the outcome. @returns its row afterwards;
 * null if it no longer exists
 */
export async function attemptLeased(workerServices: WorkerServices, deliveryId: string): Promise<DeliveryRow | null> {
  const loaded = await loadToSign(async () => (await loadDeliveries(workerServices, [deliveryId]))[0] ?? null);
  if (loaded) {
    const attempted = await attempt(workerServices, loaded);
    await recordOutcomes(workerServices, [
      { claim: { id: deliveryId, leaseToken: ownLease(deliveryId) }, loaded, attempted },
    ]);
  }
  return workerServices.database.findOne(deliveries, { id: deliveryId });
}
