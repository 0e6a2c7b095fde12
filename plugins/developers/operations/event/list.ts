import { Event, eventColumns, exampleEvent, presentEvent, type EventRow } from '#core/kernel/events/resource.js';
import { defineOperation } from '#core/kernel/operation.js';
import { beforeId, cutPage, nextBefore, page } from '#core/kernel/schema/paging.js';
import { dateTime, list, object, optional, text } from '#core/kernel/schema/schema.js';
import type { SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { eventTypes } from '../../rules/webhook/input.js';
import { wants } from '../../rules/webhook/matching.js';

export default defineOperation({
  name: 'developers.event.list',
  summary: 'List the environment’s events, newest first, with their payloads.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    ...page,
    types: optional(eventTypes),
    subjectId: optional(text('What the event is about.', { maxLength: 255 })),
    since: optional(dateTime('Written at this time or later.')),
    until: optional(dateTime('Written before this time.')),
  }),
  output: object({ events: list(Event), nextBefore }),
  example: { input: { types: ['account.*'], limit: 20 }, output: { events: [exampleEvent], nextBefore: null } },

  async handle({ before, limit, types, subjectId, since, until }, { db, caller, deployment }) {
    const { environment } = caller;
    const where: [string, SqlValue][] = [['v.environment_id = ?', idBytes(environment.id)]];
    if (before !== undefined) where.push(['v.id < ?', beforeId(before)]);
    if (types !== undefined && types.length > 0) {
      // Wildcards become the names they stand for: an index finds names, not patterns.
      const names = [...new Set([...[...deployment.events.keys()].filter((name) => wants(types, name)), ...types])];
      where.push(['v.type IN (?)', names.map((name) => Buffer.from(name))]);
    }
    if (subjectId !== undefined) where.push(['v.subject_id = ?', Buffer.from(subjectId)]);
    if (since !== undefined) where.push(['v.created_at >= ?', new Date(since)]);
    if (until !== undefined) where.push(['v.created_at < ?', new Date(until)]);
    const rows = await db.rows<EventRow>(
      `SELECT ${eventColumns} FROM svc_event v WHERE ${where.map(([sql]) => sql).join(' AND ')} ORDER BY v.id DESC LIMIT ?`,
      [...where.map(([, value]) => value), limit + 1],
    );
    const { rows: events, next } = cutPage(
      rows.map((row) => presentEvent(row, environment)),
      limit,
    );
    return { events, nextBefore: next };
  },
});
