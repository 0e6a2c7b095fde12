import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';

/** The largest number of events read at each end of a time range. Each costs one lookup. */
const edge = 1_000;
/** How far the positions of the events in a time range may lie outside those of its first and last events. */
const outOfOrder = 10_000;

/** The events of a time range: all of them if there are few, otherwise the positions between which they lie. */
export type EventWindow =
  { readonly ids: readonly Buffer[] } | { readonly lowest: number; readonly highest: number } | undefined;

interface Edge {
  id: Buffer;
  position: number | null;
}

/**
 * Finds the events of a time range by the index of their times. Positions follow the order of times, except for events
 * that wait for their position while others get theirs (core/kernel/events/sequencer.ts), so the range between the
 * positions of the first and the last events is widened.
 * @returns undefined if no time is given
 */
export async function eventWindow(
  db: Pick<ReadSession, 'rows'>,
  environmentId: Buffer,
  since: Date | undefined,
  until: Date | undefined,
): Promise<EventWindow> {
  if (!since && !until) return undefined;
  const conditions: [string, SqlValue][] = [
    ['environment_id = ?', environmentId],
    ...(since ? [['created_at >= ?', since] satisfies [string, SqlValue]] : []),
    ...(until ? [['created_at < ?', until] satisfies [string, SqlValue]] : []),
  ];
  const edgeOf = (direction: 'ASC' | 'DESC'): Promise<Edge[]> =>
    db.rows<Edge>(
      `SELECT id, position FROM svc_event FORCE INDEX (created) WHERE ${conditions.map(([sql]) => sql).join(' AND ')}
       ORDER BY created_at ${direction} LIMIT ?`,
      [...conditions.map(([, value]) => value), edge],
    );
  const newest = await edgeOf('DESC');
  if (newest.length < edge) return { ids: newest.map(({ id }) => id) };
  const positions = [...newest, ...(await edgeOf('ASC'))].flatMap(({ position }) => position ?? []);
  return { lowest: Math.min(...positions) - outOfOrder, highest: Math.max(...positions) + outOfOrder };
}
