import type { Environment } from '#core/kernel/caller/caller.js';
import { eventColumns, type EventRow } from '#core/kernel/events/resource.js';
import { beforeId } from '#core/kernel/schema/paging.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';

export interface EventFilter {
  before?: string | undefined;
  /** Exact names; none for every event. */
  types?: readonly string[] | undefined;
  subjectId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** The newest `limit` events of an environment that a filter lets through, newest first. */
export async function eventPage(
  db: Session,
  environment: Environment,
  { before, types = [], subjectId, since, until }: EventFilter,
  limit: number,
): Promise<EventRow[]> {
  const where: [string, SqlValue][] = [['v.environment_id = ?', idBytes(environment.id)]];
  if (before !== undefined) where.push(['v.id < ?', beforeId(before)]);
  if (types.length > 0) where.push(['v.type IN (?)', types.map((name) => Buffer.from(name))]);
  if (subjectId !== undefined) where.push(['v.subject_id = ?', Buffer.from(subjectId)]);
  if (since !== undefined) where.push(['v.created_at >= ?', new Date(since)]);
  if (until !== undefined) where.push(['v.created_at < ?', new Date(until)]);
  // Left to choose, the optimiser may walk the environment's whole log for the ORDER BY, which this index has too.
  const index = subjectId === undefined ? '' : 'FORCE INDEX (subject)';
  return db.rows<EventRow>(
    `SELECT ${eventColumns} FROM svc_event v ${index}
     WHERE ${where.map(([sql]) => sql).join(' AND ')} ORDER BY v.id DESC LIMIT ?`,
    [...where.map(([, value]) => value), limit],
  );
}
