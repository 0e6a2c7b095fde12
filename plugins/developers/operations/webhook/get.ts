import { findOwned } from '#core/kernel/environment/owned.js';
import { webhooks } from '../../tables/webhook.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, dateTime, nullable, object, uuid } from '#core/kernel/schema/schema.js';
import { exampleEndpoint, WebhookEndpoint } from '../../resources.js';
import { presentEndpoint } from '../../webhooks/endpoints.js';
import { healthOf } from '../../webhooks/health.js';

export default defineOperation({
  name: 'developers.webhook.get',
  summary: 'Returns an endpoint and its health (deliveries by status, last success and last failure).',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ endpointId: uuid('The endpoint.') }),
  output: object({
    endpoint: WebhookEndpoint,
    health: object(
      {
        delivered: count('Deliveries that succeeded.'),
        failed: count('Attempts that failed and were retried.'),
        dead: count('Deliveries whose last attempt failed.'),
        queued: count('Deliveries that are waiting for an attempt.'),
        lastDeliveredAt: nullable(dateTime('When a delivery last succeeded.')),
        lastFailedAt: nullable(dateTime('When an attempt last failed.')),
        failingSince: nullable(
          dateTime(
            'When the first failure since the last successful delivery happened; null if the endpoint works or is disabled.',
          ),
        ),
        medianDurationMs: nullable(count('For the last 100 successful deliveries.')),
      },
      { description: 'The health of the endpoint.' },
    ),
  }),
  example: {
    input: { endpointId: exampleEndpoint.endpointId },
    output: {
      endpoint: exampleEndpoint,
      health: {
        delivered: 120,
        failed: 2,
        dead: 0,
        queued: 1,
        lastDeliveredAt: '2026-11-20T09:30:00.000Z',
        lastFailedAt: null,
        failingSince: null,
        medianDurationMs: 84,
      },
    },
  },

  async handle({ endpointId }, { db, caller, clock }) {
    const row = await findOwned(db, webhooks, caller, endpointId);
    return { endpoint: presentEndpoint(row, clock.now()), health: await healthOf(db, row) };
  },
});
