import { newFields } from '#core/kernel/audit/changes.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, optional, text, withDefault } from '#core/kernel/schema/schema.js';
import { readableEvents } from '../../events/readable.js';
import { newId } from '#core/runtime/id.js';
import { exampleEndpoint, exampleSecret, standardSecretText, WebhookEndpoint } from '../../resources.js';
import { maxEnabled, maxEndpoints, requireRoomForNew } from '../../webhooks/caps.js';
import { standardSecret } from '../../deliveries/signatures.js';
import { newSecret, presentEndpoint } from '../../webhooks/endpoints.js';
import { description, endpointUrl, eventTypes, requireAllowedUrl, requireKnownTypes } from '../../webhooks/input.js';
import { webhooks, type WebhookRow } from '../../tables/webhook.js';

export default defineOperation({
  name: 'developers.webhook.create',
  summary: 'Creates an endpoint that receives events. Its signing secret is returned once.',
  description: `An environment has at most ${maxEnabled} enabled endpoints and ${maxEndpoints} endpoints in all. An endpoint receives only events that its creator may read: account.updated, for example, requires account:read.`,
  keywords: 'webhooks receive subscribe register callback notifications',
  access: 'secret',
  showsSecret: 'stored encrypted',
  input: object({ url: endpointUrl, eventTypes: withDefault(eventTypes, []), description: optional(description) }),
  output: object({
    endpoint: WebhookEndpoint,
    secret: text('The signing secret. The HMAC key is this entire string. It is not shown again.'),
    standardSecret: standardSecretText,
  }),
  errors: ['unknown_event_type', 'url_not_allowed', 'limit_reached'],
  events: ['developers.webhook.created'],
  example: {
    input: { url: exampleEndpoint.url, eventTypes: ['account.*'] },
    output: { endpoint: exampleEndpoint, secret: exampleSecret, standardSecret: standardSecret(exampleSecret) },
  },

  async handle(input, { db, caller, clock, vault, deployment, fail, emit, audit }) {
    requireAllowedUrl(input.url, caller, deployment, fail);
    requireKnownTypes(input.eventTypes, [...deployment.events.keys()], fail);
    const readable = readableEvents(caller, deployment, 'developers.webhook.create');
    readable.require(input.eventTypes);
    await lockEnvironment(db, caller.environment.id);
    await requireRoomForNew(db, caller.environment.id, fail);
    const id = newId();
    const { secret, sealed } = newSecret(vault, id);
    const now = clock.now();
    const row: WebhookRow = {
      id,
      environmentId: caller.environment.id,
      url: input.url,
      eventTypes: input.eventTypes,
      description: input.description ?? null,
      status: 'enabled',
      secretSealed: sealed,
      secretBefore: null,
      secretBeforeUntil: null,
      failingSince: null,
      memberId: caller.memberId,
      products: readable.products === null ? null : [...readable.products],
      createdAt: now,
      updatedAt: now,
    };
    await db.insert(webhooks, row);
    const endpoint = presentEndpoint(row, now);
    audit({
      subject: { type: 'webhook', id },
      summary: `Created the webhook endpoint ${input.url}.`,
      changes: newFields(endpoint, ['url', 'eventTypes', 'description', 'status']),
    });
    emit('developers.webhook.created', { subjectId: id, data: { endpoint } });
    return { endpoint, secret, standardSecret: standardSecret(secret) };
  },
});
