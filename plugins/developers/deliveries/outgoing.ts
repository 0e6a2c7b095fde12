import { environmentsThrough } from '#core/kernel/environment/owners.js';
import { queuedKind } from '#core/kernel/outgoing/queue-kind.js';
import { idBytes } from '#core/runtime/id.js';
import { deliveryQueue } from '../tables/delivery.js';
import { testEvent } from '../webhooks/health.js';

/** Deliveries that wait, for operators who restored a backup. Those that are cancelled can be replayed as dead ones. */
export const webhookDeliveries = queuedKind({
  name: 'webhook-deliveries',
  one: 'webhook delivery',
  several: 'webhook deliveries',
  queue: deliveryQueue,
  operation: 'developers.webhook.deliveries.list',
  environmentsOf: environmentsThrough('developers_webhook'),
  async cancel({ db }, _environment, ids) {
    await db.run(
      `UPDATE developers_delivery SET status = IF(event_type = ?, 'failed', 'dead'), error = ?, next_attempt_at = NULL WHERE id IN (?)`,
      [
        Buffer.from(testEvent),
        Buffer.from('The operator of svc restored a backup and cancelled this delivery.'),
        ids.map(idBytes),
      ],
    );
  },
});
