import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { isDeepStrictEqual } from 'node:util';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { ifUnchangedSince, nullable, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { exampleEndpoint, WebhookEndpoint } from '../../resources.js';
import { readableEvents } from '../../events/readable.js';
import { subscribedTo } from '../../webhooks/matching.js';
import { presentEndpoint } from '../../webhooks/endpoints.js';
import { description, endpointUrl, eventTypes, requireAllowedUrl, requireKnownTypes } from '../../webhooks/input.js';
import { webhooks, type WebhookRow } from '../../tables/webhook.js';

export default defineOperation({
  name: 'developers.webhook.update',
  summary: 'Updates an endpoint’s URL, event-type filter or description. Omitted fields keep their values.',
  description:
    'A caller that changes the URL or the filter must be able to read every event that the endpoint receives from then on. Queued deliveries of events that the caller may not read are not sent.',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    {
      endpointId: uuid('The endpoint to update.'),
      url: optional(endpointUrl),
      eventTypes: optional(eventTypes),
      description: optional(nullable(description)),
      ifUnchangedSince,
    },
    { minProperties: 2 },
  ),
  output: object({ endpoint: WebhookEndpoint }),
  errors: ['unknown_event_type', 'url_not_allowed'],
  events: ['developers.webhook.updated'],
  example: {
    input: { endpointId: exampleEndpoint.endpointId, eventTypes: ['account.*'] },
    output: { endpoint: exampleEndpoint },
  },

  async handle(input, context) {
    const { db, caller, clock, deployment, fail, emit, audit } = context;
    const before = await lockOwned(db, webhooks, caller, input.endpointId);
    await requireUnchanged(context, input.ifUnchangedSince, before, { type: 'webhook', id: before.id });
    if (input.url !== undefined) requireAllowedUrl(input.url, caller, deployment, fail);
    if (input.eventTypes !== undefined) requireKnownTypes(input.eventTypes, [...deployment.events.keys()], fail);
    const readable = readableEvents(caller, deployment, 'developers.webhook.update');
    const makesIt = input.url !== undefined || input.eventTypes !== undefined;
    if (makesIt) readable.require(input.eventTypes ?? subscribedTo(before, deployment));
    // Deliveries queued before the change also go to the new address, so the endpoint keeps only what the caller that
    // changes it may read.
    const products = input.eventTypes === undefined ? inBoth(before.products, readable.products) : readable.products;
    const made = { memberId: caller.memberId, products: products === null ? null : [...products] };
    const after: WebhookRow = {
      ...before,
      url: input.url ?? before.url,
      eventTypes: input.eventTypes ?? before.eventTypes,
      description: input.description === undefined ? before.description : input.description,
      ...(makesIt ? made : {}),
    };
    const changes = changesBetween(before, after, ['url', 'eventTypes', 'description']);
    audit({
      subject: { type: 'webhook', id: before.id },
      summary: `Changed the webhook endpoint ${after.url}.`,
      changes,
      unchanged: `the webhook endpoint ${after.url} already had these values.`,
    });
    if (changes.length === 0 && isDeepStrictEqual(before.products, after.products))
      return { endpoint: presentEndpoint(before, clock.now()) };
    const updatedAt = updateTime(before, clock.now());
    const { url, eventTypes: types, description: newDescription, memberId } = after;
    // Another address has not failed yet: the five days begin again.
    const failingSince = url === before.url ? before.failingSince : null;
    const changed = {
      ...{ url, eventTypes: types, description: newDescription, memberId, products: after.products },
      failingSince,
    };
    await db.update(webhooks, { id: before.id }, { ...changed, updatedAt });
    const endpoint = presentEndpoint({ ...after, updatedAt }, clock.now());
    emit('developers.webhook.updated', { subjectId: before.id, data: { endpoint } });
    return { endpoint };
  },
});

/** The products in both lists; null means all products. */
const inBoth = (one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null =>
  one === null || other === null ? (one ?? other) : one.filter((product) => other.includes(product));
