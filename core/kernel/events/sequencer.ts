import type { Clock } from '#core/runtime/clock.js';
import type { Database, Session } from '#core/runtime/database/session.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Log } from '#core/runtime/log.js';
import type { DuePartition } from '#core/runtime/work/claim.js';
import { startLoop } from '#core/runtime/work/loop.js';
import { laneNamed, lanes } from '#core/runtime/work/queue.js';
import type { Turns } from '#core/runtime/turn-tree.js';
import { createRoundRobin } from '#core/runtime/work/round-robin.js';
import type { LeasedInserts, Worker } from '#core/runtime/work/worker.js';
import { environmentTurns } from '../environment/turns.js';
import { storeBatches, type LeasedBatches } from './batch.js';
import { eventQueue } from './outbox.js';
import {
  batchesOf,
  interestsOf,
  lockCounters,
  takePositions,
  writeCounters,
  type ConsumerFilter,
  type LoggedEvent,
  type PositionedEvent,
} from './positions.js';

interface SequencerOptions {
  database: Database;
  consumers: readonly ConsumerFilter[];
  clock: Clock;
  log: Log;
  /** Takes over the stored batches while it has room. */
  worker: LeasedInserts & Pick<Worker, 'wake'>;
  noteBatches: (batches: LeasedBatches) => void;
}

/** The largest number of environments per transaction. */
const environmentsPerTransaction = 100;
/**
 * The number of events per transaction, which its environments share equally, and the bounds of one environment's
 * share. The upper bound limits how long other environments wait.
 */
const eventsPerTransaction = 1_000;
const [minShare, maxShare] = [20, 250];
/** The number of environments remembered to have a counter row. */
const rememberedCounters = 50_000;

/**
 * Assigns committed events their positions in the environment's log, and stores them as batches for the consumers.
 *
 * A reader cannot follow ids, because they do not commit in order: an event may commit after an event with a higher id
 * was read. It can follow positions. They are assigned under a lock on the environment's counter row that lasts until
 * COMMIT, so a visible position implies that all lower ones are visible. Pending events are found by an index, lane by
 * lane and round-robin over accounts and their environments. Counters that another process has locked are skipped, so
 * several processes share the work.
 */
export function startSequencer(options: SequencerOptions): Worker {
  const loop = startLoop({ name: eventQueue, log: options.log, poll: createPoll(options) });
  return {
    queue: eventQueue,
    sources: [{ from: 'FROM svc_event FORCE INDEX (pending) WHERE pending = 1', found: loop.wake }],
    ...loop,
  };
}

/** Sequences all committed events, without a worker that would pass them on. */
export async function sequencePending(
  options: Pick<SequencerOptions, 'database' | 'consumers' | 'clock'>,
): Promise<void> {
  const worker = { lease: () => undefined, start: () => Promise.resolve(), wake: () => undefined };
  await createPoll({ ...options, worker, noteBatches: () => undefined })();
}

/**
 * @returns what sequences all pending events; it returns whether some remain because another process has locked their
 *   counters
 */
function createPoll({
  database,
  consumers,
  clock,
  worker,
  noteBatches,
}: Omit<SequencerOptions, 'log'>): () => Promise<boolean> {
  const readTurns = environmentTurns(database);
  let owners: ReadonlyMap<string, Turns> = new Map();
  const turns = createRoundRobin((environmentId) => owners.get(environmentId) ?? [environmentId]);
  const knownCounters = new Set<string>();

  const createCounters = async (environmentIds: readonly string[]): Promise<void> => {
    const missing = environmentIds.filter((id) => !knownCounters.has(id));
    if (missing.length === 0) return;
    if (knownCounters.size > rememberedCounters) knownCounters.clear();
    const values = missing.map(() => '(?, 0)').join(', ');
    await database.run(
      `INSERT IGNORE INTO svc_event_counter (environment_id, position) VALUES ${values}`,
      missing.map(idBytes),
    );
    missing.forEach((id) => knownCounters.add(id));
  };

  /** Sequences pending events of environments of one lane in one transaction. @returns the number of events */
  const sequence = async (partitions: readonly DuePartition[]): Promise<number> => {
    const environmentIds = partitions.map(({ partitionId }) => partitionId);
    await createCounters(environmentIds);
    const lane = partitions[0]?.lane ?? lanes.transactional;
    const share = Math.min(maxShare, Math.max(minShare, Math.ceil(eventsPerTransaction / partitions.length)));
    const { taken, leased } = await database.transaction(async (db) => {
      const counters = await lockCounters(db, environmentIds, 'SKIP LOCKED');
      // The interests are read after the events, in the same message, so an endpoint that committed before an event is
      // seen.
      const [rows, interests] = await Promise.all([
        pendingRows(db, lane, [...counters.keys()], share),
        interestsOf(db, consumers, [...counters.keys()]),
      ]);
      const events = takePositions(rows, counters);
      if (events.length === 0) return { taken: 0, leased: [] };
      await writePositions(db, events);
      await writeCounters(db, events, counters);
      const batches = batchesOf(events, consumers, interests);
      const stored = await storeBatches(db, batches, clock.now(), worker);
      crashPoint('events.sequence.before');
      return { taken: events.length, leased: stored };
    });
    if (taken > 0) crashPoint('events.sequence.after');
    noteBatches(leased);
    if (leased.length > 0) await worker.start(leased.map(([claim]) => claim));
    else worker.wake();
    return taken;
  };

  return async () => {
    for (;;) {
      const pending = await pendingPartitions(database);
      if (pending.length === 0) return false;
      owners = await readTurns([...new Set(pending.map(({ partitionId }) => partitionId))]);
      let taken = 0;
      for (const lane of Object.values(lanes)) {
        const partitions = first(turns.order(pending.filter((each) => each.lane === lane)), environmentsPerTransaction);
        if (partitions.length === 0) continue;
        taken += await sequence(partitions);
        partitions.forEach(turns.recordTurn);
      }
      if (taken === 0) return true;
    }
  };
}

function first<T>(items: Iterable<T>, count: number): T[] {
  const found: T[] = [];
  for (const item of items) {
    if (found.length === count) break;
    found.push(item);
  }
  return found;
}

/** Returns the environments with pending events, per lane: one index lookup each, no matter how many events wait. */
async function pendingPartitions(database: Database): Promise<DuePartition[]> {
  const rows = await database.rows<{ lane: number; environment_id: Buffer }>(
    'SELECT lane, environment_id FROM svc_event FORCE INDEX (pending) WHERE pending = 1 GROUP BY pending, lane, environment_id',
  );
  return rows.map((row) => ({ lane: row.lane, partitionId: idText(row.environment_id) }));
}

/**
 * Reads how long the oldest committed event has waited for its position, and so for its consumers. It takes one index
 * lookup for each environment with pending events, no matter how many wait.
 * @returns seconds; 0 if none waits
 */
export async function oldestPending(database: Pick<Session, 'rows'>, now: Date): Promise<number> {
  const [row] = await database.rows<{ created_at: Date }>(
    `SELECT v.created_at FROM (SELECT MIN(first.id) AS id FROM (
       SELECT MIN(id) AS id FROM svc_event FORCE INDEX (pending) WHERE pending = 1 GROUP BY pending, lane, environment_id
     ) AS first) AS oldest STRAIGHT_JOIN svc_event v FORCE INDEX (PRIMARY) ON v.id = oldest.id`,
  );
  return row ? Math.max(0, now.getTime() - row.created_at.getTime()) / 1_000 : 0;
}

/**
 * Reads the oldest pending events of each environment. No row locks: only the transaction that locked the counter
 * changes `pending`.
 */
async function pendingRows(
  db: Session,
  lane: number,
  environmentIds: readonly string[],
  share: number,
): Promise<LoggedEvent[]> {
  if (environmentIds.length === 0) return [];
  const select = `(SELECT id, environment_id, type, direct FROM svc_event FORCE INDEX (pending)
    WHERE pending = 1 AND lane = ? AND environment_id = ? ORDER BY id LIMIT ?)`;
  const rows = await db.rows<{ id: Buffer; environment_id: Buffer; type: Buffer; direct: number }>(
    environmentIds.map(() => select).join(' UNION ALL '),
    environmentIds.flatMap((id) => [lane, idBytes(id), share]),
  );
  return rows
    .sort((a, b) => a.id.compare(b.id))
    .map((row) => ({
      id: idText(row.id),
      environmentId: idText(row.environment_id),
      type: row.type.toString(),
      lane: laneNamed(lane),
      direct: row.direct === 1,
    }));
}

/** Writes all positions in one statement, because one UPDATE per event would cost hundreds of round trips. */
const writePositions = (db: Session, events: readonly PositionedEvent[]): Promise<void> =>
  db.defer({
    sql: `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$[0]', position BIGINT PATH '$[1]')) AS placed
     STRAIGHT_JOIN svc_event v FORCE INDEX (PRIMARY) ON v.id = UNHEX(placed.id)
     SET v.position = placed.position, v.pending = NULL`,
    parameters: [JSON.stringify(events.map(({ id, position }) => [id.replaceAll('-', ''), position]))],
  });
