import type { EventConsumer } from '#core/kernel/events/consumer.js';
import { jsonTexts } from '#core/runtime/database/json.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { laneNames } from '#core/runtime/work/queue.js';
import { deliveryQueue } from '../tables/delivery.js';
import { plannedDelivery, enqueueDeliveries } from './enqueue.js';
import { isSubscribed, type Subscription } from '../webhooks/matching.js';

interface Endpoint extends Subscription {
  id: string;
  createdAt: Date;
}

/**
 * Queues a delivery for each event and endpoint that match. An endpoint receives no events from before its creation.
 * The deliveries of a disabled endpoint wait until it is enabled.
 */
export const webhookFanOut: EventConsumer = {
  name: 'developers.webhooks',
  sends: true,
  async environments(db, environmentIds) {
    const rows = await db.rows<{ environment_id: Buffer }>(
      'SELECT DISTINCT environment_id FROM developers_webhook WHERE environment_id IN (?)',
      [environmentIds.map(idBytes)],
    );
    return new Set(rows.map((row) => idText(row.environment_id)));
  },
  async handle(events, { db, clock, wake }) {
    const endpoints = await endpointsOf(db, [...new Set(events.map(({ environmentId }) => environmentId))]);
    if (endpoints.size === 0) return;
    const scheduledAt = clock.now();
    for (const lane of laneNames) {
      const planned = events
        .filter((event) => event.lane === lane)
        .flatMap(({ id, environmentId, type, createdAt }) =>
          (endpoints.get(environmentId) ?? [])
            .filter((endpoint) => endpoint.createdAt <= createdAt && isSubscribed(endpoint, type))
            .map((endpoint) =>
              plannedDelivery({
                id: newId(),
                environmentId,
                endpointId: endpoint.id,
                eventId: id,
                eventType: type,
                scheduledAt,
              }),
            ),
        );
      if (planned.length === 0) continue;
      await enqueueDeliveries(db, planned, lane);
      wake(deliveryQueue.name);
    }
  },
};

/** Reads the endpoints of environments in one query, including disabled ones. @returns them by environment */
async function endpointsOf(db: Session, environmentIds: readonly string[]): Promise<Map<string, Endpoint[]>> {
  const rows = await db.rows<{
    id: Buffer;
    environment_id: Buffer;
    event_types: unknown;
    products: unknown;
    created_at: Date;
  }>(
    'SELECT id, environment_id, event_types, products, created_at FROM developers_webhook WHERE environment_id IN (?) ORDER BY id',
    [environmentIds.map(idBytes)],
  );
  const endpoints = new Map<string, Endpoint[]>();
  for (const row of rows) {
    const environmentId = idText(row.environment_id);
    const known = endpoints.get(environmentId) ?? [];
    known.push({
      id: idText(row.id),
      eventTypes: jsonTexts(row.event_types),
      products: row.products === null ? null : jsonTexts(row.products),
      createdAt: row.created_at,
    });
    endpoints.set(environmentId, known);
  }
  return endpoints;
}
