import { defineOperation } from '#core/kernel/operation.js';
import { exampleEndpoint } from '../../resources.js';
import { maxEnabled } from '../../webhooks/caps.js';
import { setStatusOperation } from '../../webhooks/set-status.js';

export default defineOperation({
  ...setStatusOperation('enabled', 'developers.webhook.enabled'),
  name: 'developers.webhook.enable',
  summary: 'Resumes deliveries to an endpoint, including those that were waiting.',
  description: `An environment has at most ${maxEnabled} enabled endpoints.`,
  impact: { retrySafe: true },
  example: {
    input: { endpointId: exampleEndpoint.endpointId },
    output: { endpoint: { ...exampleEndpoint, status: 'enabled' } },
  },
});
