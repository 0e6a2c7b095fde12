import type { Environment } from '#core/kernel/caller/caller.js';
import { eventColumns, type EventRow } from '#core/kernel/events/resource.js';
import { filterTime } from '#core/kernel/schema/filter-time.js';
import { beforeId } from '#core/kernel/schema/paging.js';
import { walk } from '#core/kernel/schema/validation/walk.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { eventWindow } from './window.js';

export interface EventFilter {
  before?: string | undefined;
  /** Exact names. Empty for every event. */
  types?: readonly string[] | undefined;
  subjectId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

type Condition = readonly [sql: string, ...values: SqlValue[]];

const sqlOf = (conditions: readonly Condition[]): string => conditions.map(([sql]) => sql).join(' AND ');
const valuesOf = (conditions: readonly Condition[]): SqlValue[] => conditions.flatMap(([, ...values]) => values);

/**
 * The newest `limit` events of an environment's log that match a filter, newest position first. A filter that no index
 * serves is applied to at most 20,000 events.
 * @returns the events, and the id of the last event that was examined if there may be more although fewer than `limit`
 *   were found
 */
export async function eventPage(
  db: Pick<ReadSession, 'rows'>,
  environment: Pick<Environment, 'id'>,
  { before, types = [], subjectId, since, until }: EventFilter,
  limit: number,
): Promise<{ rows: EventRow[]; stoppedAt?: Buffer | undefined }> {
  const environmentId = idBytes(environment.id);
  const start = before === undefined ? undefined : await positionOf(db, environmentId, beforeId(before));
  if (start === null) return { rows: [] };
  const [from, end] = [filterTime(since), filterTime(until)];
  const window = await eventWindow(db, environmentId, from, end);

  const own: Condition[] = [['v.environment_id = ?', environmentId]];
  const ofSubject: Condition[] = subjectId === undefined ? [] : [['v.subject_id = ?', Buffer.from(subjectId)]];
  const ofTypes: Condition[] = types.length === 0 ? [] : [['v.type IN (?)', types.map((name) => Buffer.from(name))]];
  const ofTime: Condition[] = [
    ...(from ? [['v.created_at >= ?', from] satisfies Condition] : []),
    ...(end ? [['v.created_at < ?', end] satisfies Condition] : []),
  ];
  const select = async (source: string, conditions: readonly Condition[], count: number): Promise<EventRow[]> =>
    db.rows<EventRow>(
      `SELECT ${eventColumns}, v.position FROM svc_event v ${source} WHERE ${sqlOf(conditions)} ORDER BY v.position DESC LIMIT ?`,
      [...valuesOf(conditions), count],
    );

  if (window && 'ids' in window) {
    if (window.ids.length === 0) return { rows: [] };
    const among: Condition[] = [['v.id IN (?)', window.ids], ...own, ...ofSubject, ...ofTypes, ...below(start)];
    return { rows: await select('FORCE INDEX (PRIMARY)', among, limit) };
  }
  const inWindow: Condition[] = [
    ...(window?.lowest === undefined ? [] : [['v.position >= ?', window.lowest] satisfies Condition]),
    ...(window?.highest === undefined ? [] : [['v.position <= ?', window.highest] satisfies Condition]),
  ];
  // The indexes are named because the optimiser may otherwise read the environment's whole log for the ORDER BY.
  const index = subjectId === undefined ? 'log' : 'subject';
  const along = [...own, ...ofSubject, ...inWindow];
  if (subjectId !== undefined || types.length === 0) {
    const filter = [...ofTypes, ...ofTime];
    if (filter.length === 0)
      return { rows: await select(`FORCE INDEX (${index})`, [...along, ...below(start)], limit) };
    const { rows, stoppedAt } = await walk<EventRow, number>(
      {
        async keyAfter(after, count) {
          const conditions = [...along, ...below(after)];
          const [row] = await db.rows<{ position: number }>(
            `SELECT v.position FROM svc_event v FORCE INDEX (${index}) WHERE ${sqlOf(conditions)}
             ORDER BY v.position DESC LIMIT 1 OFFSET ?`,
            [...valuesOf(conditions), count - 1],
          );
          return row?.position;
        },
        read: (after, to, count) =>
          select(`FORCE INDEX (${index})`, [...along, ...below(after), ...downTo(to), ...filter], count),
      },
      start,
      limit,
    );
    return { rows, stoppedAt: stoppedAt === undefined ? undefined : await idAt(db, environmentId, stoppedAt) };
  }
  // Read the newest events of each type along the index, so that a page reads at most `limit` rows per type.
  const conditions = [...along, ...below(start), ...ofTime];
  const ofType = `(SELECT v.id, v.position FROM svc_event v FORCE INDEX (type)
    WHERE ${sqlOf(conditions)} AND v.type = ? ORDER BY v.position DESC LIMIT ?)`;
  const rows = await db.rows<EventRow>(
    `SELECT ${eventColumns} FROM (${types.map(() => ofType).join(' UNION ALL ')}) AS newest
     JOIN svc_event v ON v.id = newest.id ORDER BY newest.position DESC LIMIT ?`,
    [...types.flatMap((name) => [...valuesOf(conditions), Buffer.from(name), limit]), limit],
  );
  return { rows };
}

const below = (position: number | undefined): Condition[] =>
  position === undefined ? [['v.position IS NOT NULL']] : [['v.position < ?', position]];
const downTo = (position: number | undefined): Condition[] =>
  position === undefined ? [] : [['v.position >= ?', position]];

/** The position of an event; null if the log has none with this id. */
async function positionOf(db: Pick<ReadSession, 'rows'>, environmentId: Buffer, id: Buffer): Promise<number | null> {
  const [row] = await db.rows<{ position: number | null }>(
    'SELECT position FROM svc_event WHERE id = ? AND environment_id = ?',
    [id, environmentId],
  );
  return row?.position ?? null;
}

async function idAt(
  db: Pick<ReadSession, 'rows'>,
  environmentId: Buffer,
  position: number,
): Promise<Buffer | undefined> {
  const [row] = await db.rows<{ id: Buffer }>(
    'SELECT id FROM svc_event FORCE INDEX (log) WHERE environment_id = ? AND position = ?',
    [environmentId, position],
  );
  return row?.id;
}
