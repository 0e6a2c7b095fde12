import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { deliveries, type DeliveryRow } from '../tables/delivery.js';

/** Finds a delivery of the caller's environment. @throws not_found also for deliveries of other environments */
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
