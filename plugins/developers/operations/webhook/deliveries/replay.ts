import { lockOwned } from '#core/kernel/environment/owned.js';
import { webhooks } from '../../../tables/webhook.js';
import { defineOperation } from '#core/kernel/operation.js';
import { filterTime } from '#core/kernel/schema/filter-time.js';
import { boolean, count, dateTime, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { exampleEndpoint } from '../../../resources.js';
import { deliveryQueue } from '../../../tables/delivery.js';
import { presentEndpoint } from '../../../webhooks/endpoints.js';
import { eventTypes, requireKnownTypes } from '../../../webhooks/input.js';
import { readableEvents } from '../../../events/readable.js';
import { endWaitsOf } from '../../../deliveries/end-wait.js';
import { replayDead } from '../../../deliveries/replay-dead.js';

export default defineOperation({
  name: 'developers.webhook.deliveries.replay',
  summary: 'Replays every dead delivery of an endpoint, oldest first.',
  description:
    'A dead delivery that was already replayed is skipped; if its replay died too, the replay is sent again. One call replays at most 10,000 deliveries: repeat it until it replays fewer. Deliveries of events that the key may not read are skipped.',
  keywords: 'webhooks retry resend failed again bulk all',
  access: 'secret',
  input: object({
    endpointId: uuid('The endpoint.'),
    since: optional(dateTime('Only deliveries that were first due at this time or later.')),
    eventTypes: optional(eventTypes),
    waiting: optional(
      boolean(
        'Whether to also try the deliveries now that wait for their next attempt, at most 10,000 and whatever `since` is.',
      ),
    ),
  }),
  output: object({
    replayed: count('The number of deliveries queued; with `waiting`, together with those that are tried now.'),
  }),
  errors: ['endpoint_disabled', 'unknown_event_type'],
  events: ['developers.webhook.dead_replayed'],
  example: {
    input: { endpointId: exampleEndpoint.endpointId, since: '2026-11-19T00:00:00Z' },
    output: { replayed: 12 },
  },

  async handle(
    { endpointId, since, eventTypes: types, waiting },
    { db, caller, clock, deployment, fail, emit, audit, wake },
  ) {
    const endpoint = await lockOwned(db, webhooks, caller, endpointId);
    if (endpoint.status === 'disabled') throw fail.endpoint_disabled({ url: endpoint.url });
    requireKnownTypes(types ?? [], [...deployment.events.keys()], fail);
    const readable = readableEvents(caller, deployment, 'developers.webhook.deliveries.replay');
    readable.require(types ?? []);
    const wildcards = readable.products?.map((product) => `${product}.*`) ?? [];
    // An empty list of types would mean every event.
    const mayReadNone = readable.products?.length === 0;
    const chosen = { endpointId, types: types !== undefined && types.length > 0 ? types : wildcards, now: clock.now() };
    // Before dead deliveries are queued, which would count as waiting ones.
    const ended = waiting === true && !mayReadNone ? await endWaitsOf(db, chosen) : 0;
    const replayed = mayReadNone ? 0 : await replayDead(db, { ...chosen, since: filterTime(since) ?? null });
    const changes = Object.entries({ replayed, triedNow: ended }).filter(([, to]) => to > 0);
    audit({
      subject: { type: 'webhook', id: endpointId },
      summary:
        ended === 0
          ? `Replayed ${replayed} dead deliveries to ${endpoint.url}.`
          : `Replayed ${replayed} dead deliveries to ${endpoint.url}, and ended the wait of ${ended}.`,
      changes: changes.map(([field, to]) => ({ field, from: 0, to })),
      unchanged: `${endpoint.url} had no matching dead deliveries.`,
    });
    if (changes.length > 0) wake(deliveryQueue.name);
    if (replayed === 0) return { replayed: ended };
    emit('developers.webhook.dead_replayed', {
      subjectId: endpointId,
      data: { endpoint: presentEndpoint(endpoint, clock.now()), replayed },
    });
    return { replayed: replayed + ended };
  },
});
