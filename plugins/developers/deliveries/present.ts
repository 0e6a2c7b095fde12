import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { WebhookDelivery } from '../resources.js';
import type { DeliveryRow } from '../tables/delivery.js';

/** Converts a row to the delivery of the interface. @param leased whether an attempt is in flight */
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
