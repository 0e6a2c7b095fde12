import type { EventConsumer } from '#core/kernel/events/fan-out.js';
import { jsonTexts } from '#core/runtime/database/json.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { deliveryQueue, plannedDelivery, queueDeliveries } from './list.js';
import { wants } from '../webhooks/matching.js';

interface Endpoint {
  id: string;
  environmentId: string;
  eventTypes: readonly string[];
}

/**
 * Matches committed events to endpoints: one read of the batch's endpoints, however many events there are. A disabled endpoint's
 * deliveries wait for it.
 */
export const fanOut: EventConsumer = async (events, { db, clock, wake }) => {
  const environments = [...new Set(events.map(({ environmentId }) => environmentId))];
  const rows = await db.rows<{ id: Buffer; environment_id: Buffer; event_types: unknown }>(
    'SELECT id, environment_id, event_types FROM developers_webhook WHERE environment_id IN (?) ORDER BY id',
    [environments.map(idBytes)],
  );
  if (rows.length === 0) return;
  const endpoints = new Map<string, Endpoint[]>();
  for (const row of rows) {
    const environmentId = idText(row.environment_id);
    const endpoint = { id: idText(row.id), environmentId, eventTypes: jsonTexts(row.event_types) };
    endpoints.set(environmentId, [...(endpoints.get(environmentId) ?? []), endpoint]);
  }
  const scheduledAt = clock.now();
  const planned = events.flatMap(({ id, environmentId, type }) =>
    (endpoints.get(environmentId) ?? [])
      .filter(({ eventTypes }) => wants(eventTypes, type))
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
  if (planned.length === 0) return;
  await queueDeliveries(db, planned);
  wake(deliveryQueue.name);
};
