import { defineOperation } from '#core/kernel/operation.js';
import { exampleEndpoint } from '../../resources.js';
import { setStatusOperation } from '../../webhooks/set-status.js';

export default defineOperation({
  ...setStatusOperation('disabled', 'developers.webhook.disabled'),
  name: 'developers.webhook.disable',
  summary: 'Stop deliveries to an endpoint without deleting it or its history; what is queued waits.',
  impact: { destructive: true, retrySafe: true },
  example: {
    input: { endpointId: exampleEndpoint.endpointId },
    output: { endpoint: { ...exampleEndpoint, status: 'disabled' } },
  },
});
