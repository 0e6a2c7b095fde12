import { defineOperation } from '#core/kernel/operation.js';
import { exampleEndpoint } from '../../resources.js';
import { setStatusOperation } from '../../webhooks/set-status.js';

export default defineOperation({
  ...setStatusOperation('disabled', 'developers.webhook.disabled'),
  name: 'developers.webhook.disable',
  summary: 'Stops deliveries without deleting the endpoint or its history. Queued deliveries wait.',
  impact: { destructive: true, retrySafe: true },
  example: {
    input: { endpointId: exampleEndpoint.endpointId },
    output: { endpoint: { ...exampleEndpoint, status: 'disabled' } },
  },
});
