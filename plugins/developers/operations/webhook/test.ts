import { findOwned } from '#core/kernel/environment/owned.js';
import { webhooks } from '../../tables/webhook.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleDelivery, exampleEndpoint, WebhookDelivery } from '../../resources.js';
import { presentEndpoint } from '../../webhooks/endpoints.js';
import { requireKnownTypes } from '../../webhooks/input.js';
import { plannedDelivery } from '../../deliveries/enqueue.js';
import { presentDelivery } from '../../deliveries/present.js';
import { queueLeased, ownLease } from '../../deliveries/lease-delivery.js';
import { newId } from '#core/runtime/id.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { deliveries, type DeliveryRow } from '../../tables/delivery.js';
import { attempt } from '../../deliveries/attempt.js';
import { loadDeliveries } from '../../deliveries/load.js';
import { loadToSign } from '../../deliveries/load-to-sign.js';
import { recordOutcomes } from '../../deliveries/record.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { exampleDataOf } from '#core/kernel/events/example.js';

export default defineOperation({
  name: 'developers.webhook.test',
  summary: 'Sends a developers.webhook.test event to the endpoint immediately and reports the endpoint’s response.',
  keywords: 'webhooks try ping',
  access: 'secret',
  input: object({
    endpointId: uuid('The endpoint to test.'),
    eventType: optional(text('The event type whose example payload to send.', { maxLength: 100 })),
  }),
  output: object({ delivery: WebhookDelivery }),
  errors: ['endpoint_disabled', 'unknown_event_type'],
  events: ['developers.webhook.test'],
  example: {
    input: { endpointId: exampleEndpoint.endpointId },
    output: { delivery: { ...exampleDelivery, eventType: 'developers.webhook.test' } },
  },

  async handle({ endpointId, eventType }, { db, caller, clock, deployment, fail, emit, audit }) {
    const row = await findOwned(db, webhooks, caller, endpointId);
    if (row.status === 'disabled') throw fail.endpoint_disabled({ url: row.url });
    if (eventType !== undefined)
      requireKnownTypes([eventType], [...deployment.events.keys()], fail, { wildcards: false });
    const sample = eventType === undefined ? null : { type: eventType, data: sampleOf(deployment, eventType) };
    const eventId = emit('developers.webhook.test', {
      subjectId: endpointId,
      data: { endpoint: presentEndpoint(row, clock.now()), sample },
      // Skip the fan-out: the test goes only to this endpoint, regardless of its filter.
      direct: true,
    });
    const delivery = plannedDelivery({
      id: newId(),
      environmentId: caller.environment.id,
      endpointId,
      eventId,
      eventType: 'developers.webhook.test',
      scheduledAt: clock.now(),
    });
    // This call attempts the delivery under a lease. If the process dies, a worker attempts it once the lease expires.
    await queueLeased(db, delivery);
    audit({
      subject: { type: 'webhook', id: endpointId },
      summary: `Sent a test event to ${row.url}.`,
      changes: [{ field: 'deliveryId', from: null, to: delivery.id }],
    });
    return { delivery: presentDelivery(delivery, true) };
  },

  async finish({ delivery }, { services }) {
    const attempted = await attemptLeased(services, delivery.deliveryId);
    return { delivery: attempted ? presentDelivery(attempted) : delivery };
  },
});

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

/** Sample `data` for an event type: its example. */
function sampleOf({ events }: Deployment, eventType: string): Record<string, unknown> {
  const declaration = events.get(eventType);
  return declaration ? exampleDataOf(declaration) : {};
}
