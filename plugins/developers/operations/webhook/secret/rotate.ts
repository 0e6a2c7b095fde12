import { updateTime } from '#core/kernel/audit/unchanged.js';
import { setTimeout as delay } from 'node:timers/promises';
import { withheld } from '#core/kernel/audit/changes.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleEndpoint, WebhookEndpoint } from '../../../resources.js';
import { signWithinMs } from '../../../deliveries/load-to-sign.js';
import { newSecret, presentEndpoint } from '../../../webhooks/endpoints.js';
import { webhooks } from '../../../tables/webhook.js';

export default defineOperation({
  name: 'developers.webhook.secret.rotate',
  summary:
    'Issues a new signing secret. The old one stops verifying the moment the rotation commits; queued deliveries are signed with the new one.',
  description:
    'Once this call returns, which takes half a second, no node signs a delivery with the old secret. A delivery that was signed earlier may still arrive after that; if the receiver refuses it, it is retried with the new secret.',
  access: 'secret',
  impact: { destructive: true },
  showsSecret: 'stored encrypted',
  input: object({ endpointId: uuid('The endpoint.') }),
  output: object({ endpoint: WebhookEndpoint, secret: text('The new signing secret. It is not shown again.') }),
  events: ['developers.webhook.secret_rotated'],
  example: {
    input: { endpointId: exampleEndpoint.endpointId },
    output: { endpoint: exampleEndpoint, secret: 'svc_wh_9fKqH2v7Lw0XcYt5RbNz8mQaJd3EsPg6UiTo1CkVxWy' },
  },

  async handle({ endpointId }, { db, caller, clock, vault, emit, audit }) {
    const before = await lockOwned(db, webhooks, caller, endpointId);
    const { secret, sealed } = newSecret(vault, endpointId);
    const updatedAt = updateTime(before, clock.now());
    await db.update(webhooks, { id: endpointId }, { secretSealed: sealed, updatedAt });
    const endpoint = presentEndpoint({ ...before, updatedAt });
    audit({
      subject: { type: 'webhook', id: endpointId },
      summary: `Rotated the signing secret of ${before.url}.`,
      changes: [{ field: 'secret', from: withheld, to: withheld }],
    });
    emit('developers.webhook.secret_rotated', { subjectId: endpointId, data: { endpoint } });
    return { endpoint, secret };
  },

  /** Attempts that read the old secret before the commit have signed by then (load-to-sign.ts). */
  async finish(reply) {
    await delay(signWithinMs);
    return reply;
  },
});
