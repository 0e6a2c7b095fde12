import { newFields } from '#core/kernel/audit/changes.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { webhooks } from '../../../tables/webhook.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { leasedIds } from '#core/runtime/work/queue.js';
import { newId } from '#core/runtime/id.js';
import { exampleDelivery, exampleReplay, WebhookDelivery } from '../../../resources.js';
import { plannedDelivery, enqueueDeliveries } from '../../../deliveries/enqueue.js';
import { deliveryQueue } from '../../../tables/delivery.js';
import { endWaits } from '../../../deliveries/end-wait.js';
import { findDelivery } from '../../../deliveries/find.js';
import { readableEvents } from '../../../events/readable.js';
import { presentDelivery } from '../../../deliveries/present.js';

export default defineOperation({
  name: 'developers.webhook.delivery.replay',
  summary: 'Replays a failed or dead delivery, as a new attempt of the same event.',
  description:
    'A delivery that waits for its next attempt is tried now instead: the reply has the same delivery, with a new scheduledAt.',
  keywords: 'retry resend now waiting queued',
  access: 'secret',
  followUp: { operation: 'developers.webhook.delivery.get', input: { deliveryId: 'delivery.deliveryId' } },
  input: object({ deliveryId: uuid('The delivery to replay.') }),
  output: object({ delivery: WebhookDelivery }),
  errors: ['delivery_not_replayable', 'endpoint_disabled'],
  events: ['developers.webhook.replayed'],
  example: {
    input: { deliveryId: exampleDelivery.deliveryId },
    output: {
      delivery: exampleReplay,
    },
  },

  async handle({ deliveryId }, { db, caller, clock, deployment, fail, emit, audit, wake }) {
    const original = await findDelivery(db, caller, deliveryId, fail);
    readableEvents(caller, deployment, 'developers.webhook.delivery.replay').require([original.eventType]);
    const isOver = original.status === 'failed' || original.status === 'dead';
    const isWaiting = original.status === 'queued' && original.scheduledAt > clock.now();
    if (!isOver && !isWaiting) {
      const leased = await leasedIds(db, deliveryQueue, [deliveryId]);
      throw fail.delivery_not_replayable({ status: presentDelivery(original, leased.has(deliveryId)).status });
    }
    const endpoint = await findOwned(db, webhooks, caller, original.endpointId);
    if (endpoint.status === 'disabled') throw fail.endpoint_disabled({ url: endpoint.url });
    const { environmentId, endpointId, eventId, eventType } = original;
    if (isWaiting) {
      const now = clock.now();
      if ((await endWaits(db, [deliveryId], now)) === 0) throw fail.delivery_not_replayable({ status: 'delivering' });
      wake(deliveryQueue.name);
      const waited = presentDelivery({ ...original, scheduledAt: now });
      audit({
        subject: { type: 'delivery', id: deliveryId },
        summary: `Ended the wait of ${eventType} to ${endpoint.url} for its next attempt.`,
        changes: [{ field: 'scheduledAt', from: original.scheduledAt.toISOString(), to: waited.scheduledAt }],
      });
      emit('developers.webhook.replayed', { subjectId: deliveryId, data: { delivery: waited } });
      return { delivery: waited };
    }
    const replayed = plannedDelivery({
      id: newId(),
      environmentId,
      endpointId,
      eventId,
      eventType,
      scheduledAt: clock.now(),
      replayOf: deliveryId,
    });
    await enqueueDeliveries(db, [replayed]);
    wake(deliveryQueue.name);
    const delivery = presentDelivery(replayed);
    audit({
      subject: { type: 'delivery', id: replayed.id },
      summary: `Sent ${eventType} to ${endpoint.url} again.`,
      changes: newFields(delivery, ['deliveryId', 'replayOf', 'status']),
    });
    emit('developers.webhook.replayed', { subjectId: replayed.id, data: { delivery } });
    return { delivery };
  },
});
