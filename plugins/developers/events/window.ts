import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';

/** The largest number of events read at each end of a time range. Each costs one lookup. */
const edge = 1_000;
/** How far the positions of the events in a time range may lie outside those of its first and last events. */
const outOfOrder = 10_000;

/**
 * The events of a time range: all of them if there are few, otherwise the positions between which they lie. A bound is
 * undefined if it is not known.
 */
type EventWindow =
  | { readonly ids: readonly Buffer[] }
  | { readonly lowest: number | undefined; readonly highest: number | undefined }
  | undefined;

interface Edge {
  id: Buffer;
  position: number | null;
}

/**
 * Finds the events of a time range by the index of their times. Positions follow the order of times, except for events
 * that wait for their position while others get theirs (core/kernel/events/sequencer.ts), so the range between the
 * positions of the first and the last events is widened. Events at an end of the range that wait now tell nothing about
 * the positions there: the events on the other side of the given time are read as well. If they tell nothing either,
 * there is no bound.
 * @returns undefined if no time is given
 */
export async function eventWindow(
  db: Pick<ReadSession, 'rows'>,
  environmentId: Buffer,
  since: Date | undefined,
  until: Date | undefined,
): Promise<EventWindow> {
  if (!since && !until) return undefined;
  const edgeOf = (direction: 'ASC' | 'DESC', times: readonly [string, SqlValue][]): Promise<Edge[]> => {
    const conditions: readonly [string, SqlValue][] = [['environment_id = ?', environmentId], ...times];
    return db.rows<Edge>(
      `SELECT id, position FROM svc_event FORCE INDEX (created) WHERE ${conditions.map(([sql]) => sql).join(' AND ')}
       ORDER BY created_at ${direction} LIMIT ?`,
      [...conditions.map(([, value]) => value), edge],
    );
  };
  const inRange: [string, SqlValue][] = [
    ...(since ? [['created_at >= ?', since] satisfies [string, SqlValue]] : []),
    ...(until ? [['created_at < ?', until] satisfies [string, SqlValue]] : []),
  ];
  const newest = await edgeOf('DESC', inRange);
  if (newest.length < edge) return { ids: newest.map(({ id }) => id) };
  // An event that waits gets the highest position of the log.
  const later = newest.some(({ position }) => position === null)
    ? undefined
    : [...newest, ...(until ? await edgeOf('ASC', [['created_at >= ?', until]]) : [])];
  const earlier = since && [...(await edgeOf('ASC', inRange)), ...(await edgeOf('DESC', [['created_at < ?', since]]))];
  const [lowest] = positionsOf(earlier);
  const highest = positionsOf(later).at(-1);
  return {
    lowest: lowest === undefined ? undefined : lowest - outOfOrder,
    highest: highest === undefined ? undefined : highest + outOfOrder,
  };
}

/** The positions of those that have one, lowest first. */
const positionsOf = (rows: readonly Edge[] = []): number[] =>
  rows.flatMap(({ position }) => position ?? []).toSorted((a, b) => a - b);
