import { createHash } from 'node:crypto';
import { insertInto, joined } from '#core/runtime/database/statement.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import {
  enqueueLeasedStatement,
  enqueueStatement,
  lanes,
  laneNamed,
  type Claim,
  type Lane,
} from '#core/runtime/work/queue.js';
import type { LeasedInserts } from '#core/runtime/work/worker.js';
import type { ConsumedEvent, EventConsumer } from './consumer.js';

/**
 * Counts the batches whose last attempt failed, on all nodes together. They are retried until they are handled.
 * @returns by consumer; consumers without any are absent
 */
export async function failingBatches(db: Pick<Session, 'rows'>): Promise<Map<string, number>> {
  const rows = await db.rows<{ consumer: Buffer; failing: number }>(
    'SELECT consumer, COUNT(*) AS failing FROM svc_event_batch WHERE error IS NOT NULL GROUP BY consumer',
  );
  return new Map(rows.map(({ consumer, failing }) => [consumer.toString(), failing]));
}

/** The work queue of event consumers: one row per stored batch. */
export const batchQueue = { name: 'svc.events.consumers', table: 'svc_event_batch_queue' } as const;

/** Events for one consumer: a range of positions in one lane of an environment's log. */
export interface EventBatch {
  consumer: string;
  environmentId: string;
  lane: Lane;
  first: number;
  last: number;
}

export interface StoredBatch extends EventBatch {
  id: string;
}

/** The number of positions in a batch. */
export const sizeOf = ({ first, last }: EventBatch): number => last - first + 1;

/**
 * The queue partition of a batch: in one process, batches of the same consumer, environment and lane are handled one at
 * a time.
 */
function partitionOf({ consumer, environmentId, lane }: EventBatch): string {
  const digest = createHash('sha256').update(`${consumer}\0${environmentId}\0${lane}`).digest();
  return idText(digest.subarray(0, 16));
}

/** Batches that the worker of this process leased when they were stored. */
export type LeasedBatches = readonly (readonly [Claim, StoredBatch])[];

/**
 * Stores batches of one lane and queues them.
 * @param worker leases them for this process if it has room; pass its return value on to `start` after COMMIT
 * @returns the leased batches; none if the queue must be woken
 */
export async function storeBatches(
  db: Session,
  batches: readonly EventBatch[],
  dueAt: Date,
  worker?: Pick<LeasedInserts, 'lease'>,
): Promise<LeasedBatches> {
  if (batches.length === 0) return [];
  const stored = batches.map((batch) => ({ ...batch, id: newId() }));
  const items = stored.map((batch) => ({ id: batch.id, partitionId: partitionOf(batch), lane: batch.lane, dueAt }));
  const claims = worker?.lease(items);
  await db.defer(
    joined([
      insertInto(
        'svc_event_batch',
        stored.map(({ id, consumer, environmentId, lane, first, last }) => ({
          id: idBytes(id),
          consumer: Buffer.from(consumer),
          environment_id: idBytes(environmentId),
          lane: lanes[lane],
          first_position: first,
          last_position: last,
        })),
      ),
      claims
        ? enqueueLeasedStatement(
            batchQueue,
            claims.map((claim) => ({ claim, dueAt })),
          )
        : enqueueStatement(batchQueue, items),
    ]),
  );
  return (claims ?? []).flatMap((claim, index) => {
    const batch = stored[index];
    return batch ? [[claim, batch] as const] : [];
  });
}

/** Whose batches a partition of the queue contains. */
export type BatchOwner = Pick<StoredBatch, 'consumer' | 'environmentId'>;

/** Partitions that one statement reads. */
const readAtOnce = 100;

/** Reads whose batches partitions of the queue contain, with one index lookup for each. @returns by partition */
export async function ownersOf(
  db: Pick<Session, 'rows'>,
  partitionIds: readonly string[],
): Promise<(readonly [partitionId: string, owner: BatchOwner])[]> {
  if (partitionIds.length > readAtOnce)
    return [
      ...(await ownersOf(db, partitionIds.slice(0, readAtOnce))),
      ...(await ownersOf(db, partitionIds.slice(readAtOnce))),
    ];
  if (partitionIds.length === 0) return [];
  // All values of `leased` (core/runtime/work/held.ts), so that the index is used from its beginning.
  const select = `SELECT q.partition_id, b.consumer, b.environment_id FROM ${batchQueue.table} q FORCE INDEX (claim)
    STRAIGHT_JOIN svc_event_batch b ON b.id = q.id
    WHERE q.leased IN (0, 1, 2) AND q.lane IN (${Object.values(lanes).join(', ')}) AND q.partition_id = ? LIMIT 1`;
  const rows = await db.rows<{ partition_id: Buffer; consumer: Buffer; environment_id: Buffer }>(
    partitionIds.map(() => `(${select})`).join(' UNION ALL '),
    partitionIds.map(idBytes),
  );
  return rows.map((row) => [
    idText(row.partition_id),
    { consumer: row.consumer.toString(), environmentId: idText(row.environment_id) },
  ]);
}

/** Reads batches. @returns those that exist, by id */
export async function loadBatches(
  db: Pick<Session, 'rows'>,
  ids: readonly string[],
): Promise<Map<string, StoredBatch>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{
    id: Buffer;
    consumer: Buffer;
    environment_id: Buffer;
    lane: number;
    first_position: number;
    last_position: number;
  }>('SELECT id, consumer, environment_id, lane, first_position, last_position FROM svc_event_batch WHERE id IN (?)', [
    ids.map(idBytes),
  ]);
  return new Map(
    rows.map((row) => {
      const id = idText(row.id);
      const batch = {
        id,
        consumer: row.consumer.toString(),
        environmentId: idText(row.environment_id),
        lane: laneNamed(row.lane),
        first: row.first_position,
        last: row.last_position,
      };
      return [id, batch];
    }),
  );
}

/** Deletes handled batches. Run it in the transaction that handled them. */
export async function removeBatches(db: Session, batches: readonly StoredBatch[]): Promise<void> {
  await db.defer({
    sql: 'DELETE FROM svc_event_batch WHERE id IN (?)',
    parameters: [batches.map(({ id }) => idBytes(id))],
  });
}

/**
 * Reads the events of batches, ordered by position. Direct events are left out, and expired events no longer exist.
 * @param consumer which events it handles, and whether with their data
 */
export async function readEvents(
  db: Session,
  batches: readonly EventBatch[],
  { types, withData }: Pick<EventConsumer, 'types' | 'withData'>,
): Promise<ConsumedEvent[]> {
  if (batches.length === 0) return [];
  const select = `SELECT v.id, v.environment_id, v.type, v.lane, v.subject_type, v.subject_id, v.person_id, v.activity_id, v.position, v.created_at${withData ? ', v.data' : ''}
    FROM svc_event v FORCE INDEX (log) WHERE v.environment_id = ? AND v.position BETWEEN ? AND ? AND v.lane = ? AND v.direct = 0`;
  const rows = await db.rows<{
    id: Buffer;
    environment_id: Buffer;
    type: Buffer;
    lane: number;
    subject_type: Buffer;
    subject_id: Buffer;
    person_id: Buffer | null;
    activity_id: Buffer | null;
    position: number;
    created_at: Date;
    data?: unknown;
  }>(
    batches.map(() => `(${select})`).join(' UNION ALL '),
    batches.flatMap(({ environmentId, first, last, lane }) => [idBytes(environmentId), first, last, lanes[lane]]),
  );
  const isWanted = types && new Set(types);
  return rows
    .map((row) => ({ ...row, typeName: row.type.toString() }))
    .filter(({ typeName }) => isWanted?.has(typeName) ?? true)
    .sort((a, b) => a.position - b.position)
    .map((row) => ({
      id: idText(row.id),
      environmentId: idText(row.environment_id),
      type: row.typeName,
      createdAt: row.created_at,
      lane: laneNamed(row.lane),
      subject: { type: row.subject_type.toString(), id: row.subject_id.toString() },
      personId: row.person_id && idText(row.person_id),
      activityId: row.activity_id && idText(row.activity_id),
      data: row.data === undefined ? undefined : jsonRecord(row.data),
    }));
}
