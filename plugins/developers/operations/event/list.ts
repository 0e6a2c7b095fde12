import { Event, exampleEvent, presentEvent } from '#core/kernel/events/resource.js';
import { defineOperation } from '#core/kernel/operation.js';
import { cutPage, nextBefore, page } from '#core/kernel/schema/paging.js';
import { dateTime, list, object, optional, text } from '#core/kernel/schema/schema.js';
import { eventPage } from '../../events/page.js';
import { isReadable, readableEvents } from '../../events/readable.js';
import { eventTypes, requireKnownTypes } from '../../webhooks/input.js';
import { matchesFilter } from '../../webhooks/matching.js';

export default defineOperation({
  name: 'developers.event.list',
  summary: 'Lists the environment’s events with their payloads, newest first.',
  description:
    'An event is listed within a second of its commit, and never after an event that was already listed: a client that reads down to the newest event it has seen misses none. A key sees only events of products that it may read: account.updated, for example, requires account:read in addition to developers:read. Naming other events in `types` is refused.',
  keywords: 'what happened recently feed history latest',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  input: object({
    ...page,
    types: optional(eventTypes),
    subjectId: optional(text('Only events about the resource with this id.', { maxLength: 255 })),
    since: optional(dateTime('Only events from this time on.')),
    until: optional(dateTime('Only events before this time.')),
  }),
  output: object({ events: list(Event), nextBefore }),
  errors: ['unknown_event_type'],
  example: { input: { types: ['account.*'], limit: 20 }, output: { events: [exampleEvent], nextBefore: null } },

  async handle({ limit, types = [], ...filter }, { db, caller, deployment, fail }) {
    const { environment } = caller;
    const known = [...deployment.events.keys()];
    requireKnownTypes(types, known, fail);
    const readable = readableEvents(caller, deployment, 'developers.event.list');
    readable.require(types);
    // Expand wildcards to names, because the index finds exact names only.
    const isWhole = types.length === 0 && readable.products === null;
    const names = isWhole
      ? []
      : known.filter((name) => matchesFilter(types, name) && isReadable(name, readable.products));
    // An empty list of names would mean every event.
    if (!isWhole && names.length === 0) return { events: [], nextBefore: null };
    const { rows, stoppedAt } = await eventPage(db, environment, { ...filter, types: names }, limit + 1);
    const { rows: events, next } = cutPage(
      rows.map((row) => presentEvent(row, environment)),
      limit,
      stoppedAt,
    );
    return { events, nextBefore: next };
  },
});
