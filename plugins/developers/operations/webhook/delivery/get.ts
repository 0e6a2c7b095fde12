import { findEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { integer, list, map, nullable, object, text, uuid } from '#core/kernel/schema/schema.js';
import { leasedIds } from '#core/runtime/work/queue.js';
import { exampleDelivery, WebhookDelivery } from '../../../resources.js';
import { deliveryQueue, deliveries } from '../../../tables/delivery.js';
import { findDelivery } from '../../../deliveries/find.js';
import { presentDelivery } from '../../../deliveries/present.js';
import { requestOf, responseOf } from '../../../deliveries/request-response.js';
import { readableEvents } from '../../../events/readable.js';

export default defineOperation({
  name: 'developers.webhook.delivery.get',
  summary: 'Returns a delivery attempt with its request, response, status, error and duration.',
  description:
    'Also returns the other attempts of the delivery. The key also needs the read permission of the event’s product, such as account:read for account.updated.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  progress: { status: 'delivery.status', succeeded: ['delivered'], failed: ['failed', 'dead'] },
  input: object({ deliveryId: uuid('The delivery attempt.') }),
  output: object({
    delivery: WebhookDelivery,
    request: object(
      {
        headers: map(
          text(),
          'The request headers. They include Svc-Signature and webhook-signature once the delivery was attempted.',
        ),
        body: text('The request body, byte for byte.'),
      },
      { description: 'The request that was, or will be, sent.' },
    ),
    response: nullable(
      object(
        {
          status: integer('The HTTP status.'),
          headers: map(text(), 'Its headers.'),
          body: text('The first 4 KiB of the response body.'),
        },
        { description: 'The endpoint’s response; null if there was none.' },
      ),
    ),
    attempts: list(WebhookDelivery, 'All attempts of this delivery, oldest first.'),
  }),
  example: {
    input: { deliveryId: exampleDelivery.deliveryId },
    output: {
      delivery: exampleDelivery,
      request: { headers: { 'Svc-Event-Id': exampleDelivery.eventId }, body: '{"id":"…"}' },
      response: { status: 204, headers: {}, body: '' },
      attempts: [exampleDelivery],
    },
  },

  async handle({ deliveryId }, { db, caller, deployment, fail }) {
    const row = await findDelivery(db, caller, deliveryId, fail);
    readableEvents(caller, deployment, 'developers.webhook.delivery.get').require([row.eventType]);
    const environment = (await findEnvironment(db, row.environmentId)) ?? caller.environment;
    const chain = (await db.find(deliveries, { chainId: row.chainId })).sort((a, b) => a.attempt - b.attempt);
    const leased = await leasedIds(
      db,
      deliveryQueue,
      chain.map(({ id }) => id),
    );
    return {
      delivery: presentDelivery(row, leased.has(row.id)),
      request: await requestOf(db, row, environment),
      response: responseOf(row),
      attempts: chain.map((each) => presentDelivery(each, leased.has(each.id))),
    };
  },
});
