import { updateTime } from '#core/kernel/audit/unchanged.js';
import { hourMs, shift } from '#core/runtime/clock.js';
import { setTimeout as delay } from 'node:timers/promises';
import { withheld } from '#core/kernel/audit/changes.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { integer, object, text, uuid, withDefault } from '#core/kernel/schema/schema.js';
import { exampleEndpoint, exampleSecret, standardSecretText, WebhookEndpoint } from '../../../resources.js';
import { signWithinMs } from '../../../deliveries/load-to-sign.js';
import { standardSecret } from '../../../deliveries/signatures.js';
import { newSecret, overlapEnd, presentEndpoint, sealBefore } from '../../../webhooks/endpoints.js';
import { webhooks } from '../../../tables/webhook.js';

export default defineOperation({
  name: 'developers.webhook.secret.rotate',
  summary:
    'Issues a new signing secret. The old one stops verifying the moment the rotation commits, unless overlapHours says otherwise; queued deliveries are signed with the new one.',
  description:
    'With overlapHours, each delivery is signed with both secrets for that long: its Svc-Signature has two `v1`, the new one first, and the receiver must accept either. Another rotation ends the overlap, so after a leak rotate without it. Without overlapHours, once this call returns, which takes half a second, no node signs a delivery with the old secret. A delivery that was signed earlier may still arrive after that; if the receiver refuses it, it is retried with the new secret.',
  access: 'secret',
  impact: { destructive: true },
  showsSecret: 'stored encrypted',
  input: object({
    endpointId: uuid('The endpoint.'),
    overlapHours: withDefault(
      integer('For how many hours deliveries are signed with the old secret too. 0 ends the old one at once.', {
        minimum: 0,
        maximum: 72,
      }),
      0,
    ),
  }),
  output: object({
    endpoint: WebhookEndpoint,
    secret: text('The new signing secret. It is not shown again.'),
    standardSecret: standardSecretText,
  }),
  events: ['developers.webhook.secret_rotated'],
  example: {
    input: { endpointId: exampleEndpoint.endpointId },
    output: { endpoint: exampleEndpoint, secret: exampleSecret, standardSecret: standardSecret(exampleSecret) },
  },

  async handle({ endpointId, overlapHours }, { db, caller, clock, vault, emit, audit }) {
    const before = await lockOwned(db, webhooks, caller, endpointId);
    const now = clock.now();
    const { secret, sealed } = newSecret(vault, endpointId);
    const isOverlapping = overlapHours > 0;
    const after = {
      ...before,
      secretSealed: sealed,
      // A secret that still overlaps from the rotation before ends here.
      secretBefore: isOverlapping ? sealBefore(vault, before) : null,
      secretBeforeUntil: isOverlapping ? shift(now, overlapHours * hourMs) : null,
      updatedAt: updateTime(before, now),
    };
    await db.update(webhooks, { id: endpointId }, after);
    const endpoint = presentEndpoint(after, now);
    const previously = overlapEnd(before, now)?.toISOString() ?? null;
    audit({
      subject: { type: 'webhook', id: endpointId },
      summary: `Rotated the signing secret of ${before.url}${isOverlapping ? `; the old one signs for ${overlapHours} h more` : ''}.`,
      changes: [
        { field: 'secret', from: withheld, to: withheld },
        ...(endpoint.previousSecretUntil === previously
          ? []
          : [{ field: 'previousSecretUntil', from: previously, to: endpoint.previousSecretUntil }]),
      ],
    });
    emit('developers.webhook.secret_rotated', { subjectId: endpointId, data: { endpoint } });
    return { endpoint, secret, standardSecret: standardSecret(secret) };
  },

  /** Attempts that read the old secret before the commit have signed by then (load-to-sign.ts). */
  async finish(reply) {
    await delay(signWithinMs);
    return reply;
  },
});
