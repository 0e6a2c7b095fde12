import type { Environment } from '#core/kernel/caller/caller.js';
import { eventColumns, type EventRow } from '#core/kernel/events/resource.js';
import { filterTime } from '#core/kernel/schema/filter-time.js';
import { beforeId } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';

export interface EventFilter {
  before?: string | undefined;
  /** Exact names; empty for every event. */
  types?: readonly string[] | undefined;
  subjectId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** The newest `limit` events of an environment's log that match a filter, newest position first. */
export async function eventPage(
  db: Pick<ReadSession, 'rows'>,
  environment: Pick<Environment, 'id'>,
  { before, types = [], subjectId, since, until }: EventFilter,
  limit: number,
): Promise<EventRow[]> {
  const environmentId = idBytes(environment.id);
  const where: [string, ...SqlValue[]][] = [['v.environment_id = ? AND v.position IS NOT NULL', environmentId]];
  if (before !== undefined) {
    where.push([
      'v.position < (SELECT b.position FROM svc_event b WHERE b.id = ? AND b.environment_id = ?)',
      beforeId(before),
      environmentId,
    ]);
  }
  if (subjectId !== undefined) where.push(['v.subject_id = ?', Buffer.from(subjectId)]);
  const [from, end] = [filterTime(since), filterTime(until)];
  if (from) where.push(['v.created_at >= ?', from]);
  if (end) where.push(['v.created_at < ?', end]);
  const conditions = where.map(([sql]) => sql).join(' AND ');
  const values = where.flatMap(([, ...each]) => each);

  // The indexes are named because the optimiser may otherwise read the environment's whole log for the ORDER BY.
  if (subjectId !== undefined || types.length === 0) {
    const index = subjectId === undefined ? 'log' : 'subject';
    const ofTypes = types.length > 0 ? ' AND v.type IN (?)' : '';
    return db.rows<EventRow>(
      `SELECT ${eventColumns} FROM svc_event v FORCE INDEX (${index})
       WHERE ${conditions}${ofTypes} ORDER BY v.position DESC LIMIT ?`,
      [...values, ...(types.length > 0 ? [types.map((name) => Buffer.from(name))] : []), limit],
    );
  }
  // Read the newest events of each type along the index, so that a page reads at most `limit` rows per type.
  const ofType = `(SELECT v.id, v.position FROM svc_event v FORCE INDEX (type)
    WHERE ${conditions} AND v.type = ? ORDER BY v.position DESC LIMIT ?)`;
  return db.rows<EventRow>(
    `SELECT ${eventColumns} FROM (${types.map(() => ofType).join(' UNION ALL ')}) AS newest
     JOIN svc_event v ON v.id = newest.id ORDER BY newest.position DESC LIMIT ?`,
    [...types.flatMap((name) => [...values, Buffer.from(name), limit]), limit],
  );
}
