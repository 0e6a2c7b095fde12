import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import { storeBatches, type EventBatch } from './batch.js';
import type { EventDeclaration, SelectedEvents } from '../event.js';
import { interestsOf, lockCounters, type ConsumerFilter } from './positions.js';

/** Events in one consumer batch, at most: a consumer handles a batch in one transaction. */
const eventsPerBatch = 250;

/**
 * Writes events from rows of the database, with their positions. It locks the environment's counter until COMMIT, so
 * run it last in its transaction.
 * @returns the number of events
 */
export async function insertSelectedEvents(
  db: Session,
  { name, declaration }: { name: string; declaration: EventDeclaration },
  { rows, environment, lane, activityId, handledBy = [] }: SelectedEvents,
  consumers: readonly ConsumerFilter[],
  at: Date,
): Promise<number> {
  const environmentId = idBytes(environment.id);
  await db.run('INSERT IGNORE INTO svc_event_counter (environment_id, position) VALUES (?, 0)', [environmentId]);
  const counters = await lockCounters(db, [environment.id], '');
  const last = counters.get(environment.id) ?? 0;
  const { affectedRows: count } = await db.run(
    `INSERT INTO svc_event (id, environment_id, type, activity_id, subject_type, subject_id, person_id, data, lane, direct, pending,
       position, created_at)
     SELECT v.id, ?, ?, ?, ?, v.subject_id, v.person_id, v.data, ?, 0, NULL, ? + v.ordinal, ? FROM (${rows.sql}) v`,
    [
      environmentId,
      Buffer.from(name),
      activityId === null ? null : idBytes(activityId),
      Buffer.from(declaration.subject),
      lanes[lane],
      last,
      at,
      ...rows.parameters,
    ],
  );
  if (count === 0) return 0;
  await db.defer({
    sql: 'UPDATE svc_event_counter SET position = ? WHERE environment_id = ?',
    parameters: [last + count, environmentId],
  });
  const interests = await interestsOf(db, consumers, [environment.id]);
  const wanted = consumers.filter(
    ({ name: consumer, types }) =>
      !handledBy.includes(consumer) &&
      (types?.includes(name) ?? true) &&
      interests.get(consumer)?.has(environment.id) !== false,
  );
  const batches = wanted.flatMap(({ name: consumer }) =>
    Array.from({ length: Math.ceil(count / eventsPerBatch) }, (_, index): EventBatch => {
      const first = last + 1 + index * eventsPerBatch;
      return {
        consumer,
        environmentId: environment.id,
        lane,
        first,
        last: Math.min(first + eventsPerBatch - 1, last + count),
      };
    }),
  );
  await storeBatches(db, batches, at);
  return count;
}
