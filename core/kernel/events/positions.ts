import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Lane } from '#core/runtime/work/queue.js';
import { storeBatches, type EventBatch } from './batch.js';
import type { EventConsumer } from './consumer.js';
import type { PendingEvent } from './outbox.js';

/*
 * Positions in the environments' event logs. They are assigned under a lock on the environment's counter row that lasts
 * until COMMIT, so a visible position implies that all lower ones are visible.
 */

/** An event as the log needs it. */
export interface LoggedEvent {
  readonly id: string;
  readonly environmentId: string;
  readonly type: string;
  readonly lane: Lane;
  /** Delivered by the call itself: no consumer gets it. */
  readonly direct: boolean;
}

export interface PositionedEvent extends LoggedEvent {
  readonly position: number;
}

/** The part of a consumer that decides which events it receives. */
export type ConsumerFilter = Pick<EventConsumer, 'name' | 'types' | 'environments'>;

/** By consumer: the environments whose events it handles; all if the consumer has no entry. */
type Interests = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Locks the counters of environments.
 * @param skipLocked leaves out counters that another transaction has locked; otherwise waits for them
 * @returns the last assigned position by environment, without environments that have no counter yet
 */
export async function lockCounters(
  db: Session,
  environmentIds: readonly string[],
  skipLocked: 'SKIP LOCKED' | '',
): Promise<Map<string, number>> {
  const rows = await db.rows<{ environment_id: Buffer; position: number }>(
    `SELECT environment_id, position FROM svc_event_counter FORCE INDEX (PRIMARY)
     WHERE environment_id IN (?) FOR UPDATE ${skipLocked}`,
    [environmentIds.map(idBytes)],
  );
  return new Map(rows.map((row) => [idText(row.environment_id), row.position]));
}

/** Gives events the next positions, in their order. @param counters the last assigned positions; advanced here */
export function takePositions<Event extends LoggedEvent>(
  events: readonly Event[],
  counters: Map<string, number>,
): (Event & { position: number })[] {
  return events.map((event) => {
    const position = (counters.get(event.environmentId) ?? 0) + 1;
    counters.set(event.environmentId, position);
    return { ...event, position };
  });
}

/** Writes the counters of the environments of `events`. */
export async function writeCounters(
  db: Session,
  events: readonly LoggedEvent[],
  counters: ReadonlyMap<string, number>,
): Promise<void> {
  const changed = [...new Set(events.map(({ environmentId }) => environmentId))];
  await db.defer({
    sql: `INSERT INTO svc_event_counter (environment_id, position) VALUES ${changed.map(() => '(?, ?)').join(', ')}
     ON DUPLICATE KEY UPDATE position = VALUES(position)`,
    parameters: changed.flatMap((id) => [idBytes(id), counters.get(id) ?? 0]),
  });
}

/** Asks the consumers which of these environments' events they handle. */
export async function interestsOf(
  db: Session,
  consumers: readonly ConsumerFilter[],
  environmentIds: readonly string[],
): Promise<Interests> {
  if (environmentIds.length === 0) return new Map();
  const found = await Promise.all(
    consumers.map(async ({ name, environments }) =>
      environments ? ([[name, await environments(db, environmentIds)]] as const) : [],
    ),
  );
  return new Map(found.flat());
}

/** Returns one batch per consumer, environment and lane: the range of positions that covers the events it handles. */
export function batchesOf(
  events: readonly PositionedEvent[],
  consumers: readonly ConsumerFilter[],
  interests: Interests,
): EventBatch[] {
  const batches = new Map<string, EventBatch>();
  for (const { environmentId, lane, type, direct, position } of events) {
    if (direct) continue;
    for (const { name, types } of consumers) {
      if (types?.includes(type) === false || interests.get(name)?.has(environmentId) === false) continue;
      const key = `${name} ${environmentId} ${lane}`;
      const known = batches.get(key);
      if (known) known.last = position;
      else batches.set(key, { consumer: name, environmentId, lane, first: position, last: position });
    }
  }
  return [...batches.values()];
}

/**
 * From this many events on, a transaction assigns their positions itself. It is lower than the number that delivery
 * usually records together (recorder.ts), so that the events of a broadcast are written once.
 */
export const bulkEvents = 32;

/**
 * Assigns the positions of a large transaction's events, as its last step before COMMIT, so that the sequencer need not
 * write each event again. Small transactions leave it to the sequencer, because the lock on the counter makes an
 * environment's transactions commit one after another.
 * @param events those assigned get their `position`
 * @returns whether positions were assigned; false for environments that have no counter yet
 */
export async function assignPositions(
  db: Session,
  events: readonly PendingEvent[],
  consumers: readonly ConsumerFilter[],
  at: Date,
): Promise<boolean> {
  const environmentIds = [...new Set(events.map(({ environment }) => environment.id))].sort();
  const [counters, interests] = await Promise.all([
    lockCounters(db, environmentIds, ''),
    interestsOf(db, consumers, environmentIds),
  ]);
  if (environmentIds.some((id) => !counters.has(id))) return false;
  const positioned = takePositions(events.map(loggedEvent), counters);
  positioned.forEach(({ position }, index) => {
    const event = events[index];
    if (event) event.position = position;
  });
  await writeCounters(db, positioned, counters);
  await storeBatches(db, batchesOf(positioned, consumers, interests), at);
  return true;
}

const loggedEvent = ({ id, name, event, environment }: PendingEvent): LoggedEvent => ({
  id,
  environmentId: environment.id,
  type: name,
  lane: event.lane ?? 'transactional',
  direct: event.direct === true,
});
