import { shift } from '#core/runtime/clock.js';
import { isConflict, isUnavailable } from '#core/runtime/database/errors.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import type { Turns } from '#core/runtime/turn-tree.js';
import { createBatcher, type Batcher } from '#core/runtime/database/batcher.js';
import {
  completeMany,
  completeWork,
  lockLeases,
  postponeWork,
  type Claim,
  type WorkQueue,
} from '#core/runtime/work/queue.js';
import { environmentTurns } from '../environment/turns.js';
import type { WorkerServices } from '../worker-services.js';
import {
  batchQueue,
  loadBatches,
  readEvents,
  removeBatches,
  sizeOf,
  ownersOf,
  storeBatches,
  type BatchOwner,
  type LeasedBatches,
  type StoredBatch,
} from './batch.js';
import type { EventConsumer } from './consumer.js';

/** The largest number of batches of one consumer that a process handles concurrently. They share transactions. */
const perConsumer = 64;
/** How many of them may be of one account. */
const perAccount = 32;
/** The largest number of events in one transaction. */
const eventsPerTransaction = 1_000;
/** The longest delay before a failed batch is retried. */
const maxBackoffMs = 300_000;
/**
 * How many times, and how long each time, a batch waits for a node that knows its consumer. In total it waits an hour.
 */
const unknownConsumerTries = 60;
const unknownConsumerMs = 60_000;

interface ClaimedBatch {
  claim: Claim;
  batch: StoredBatch;
}

interface ConsumerQueue extends WorkQueue {
  /** Notes batches that this process has just stored, so that they need not be read. */
  readonly noteBatches: (batches: LeasedBatches) => void;
}

/**
 * The work queue that passes batches of events to their consumers. Every consumer has its own slots and transactions,
 * so a slow or failing consumer does not delay the others. Batches are claimed lane by lane, round-robin over
 * consumers, accounts and their environments.
 */
export function eventConsumers(services: WorkerServices, consumers: readonly EventConsumer[]): ConsumerQueue {
  const { database } = services;
  const handlers = new Map<string, Batcher<ClaimedBatch, boolean>>(
    consumers.map((consumer) => [
      consumer.name,
      createBatcher((claimed) => handle(services, consumer, claimed), {
        maxItems: perConsumer,
        weight: ({ batch }) => sizeOf(batch),
        maxWeight: eventsPerTransaction,
      }),
    ]),
  );
  const byName = new Map(consumers.map((consumer) => [consumer.name, consumer]));
  const loaded = new WeakMap<Claim, StoredBatch>();
  const noted = new Map<string, BatchOwner>();
  const noteBatches = (batches: LeasedBatches): void => {
    if (noted.size > 50_000) noted.clear();
    for (const [claim, batch] of batches) {
      loaded.set(claim, batch);
      noted.set(claim.partitionId, batch);
    }
  };

  return {
    noteBatches,
    ...batchQueue,
    concurrency: perConsumer * Math.max(1, consumers.length),
    perPartition: () => 1,
    turnsOf: (partitionIds) => turnsOfBatches(database, noted, partitionIds),
    // The batches of a consumer share transactions, so an account must not fill them.
    perOwner: [{ most: perConsumer }, { most: perAccount }],
    // Consumers also receive the events of closed accounts.
    excludedPartitions: [],
    async prepare(claims) {
      const batches = await loadBatches(
        database,
        claims.map(({ id }) => id),
      );
      noteBatches(
        claims.flatMap((claim) => {
          const batch = batches.get(claim.id);
          return batch ? [[claim, batch] as const] : [];
        }),
      );
    },
    async perform(claim) {
      const batch = loaded.get(claim) ?? (await loadBatches(database, [claim.id])).get(claim.id);
      const consumer = batch && byName.get(batch.consumer);
      const handleInBatch = batch && handlers.get(batch.consumer);
      if (!batch || !consumer || !handleInBatch) {
        await keepOrDrop(services, claim, batch);
        return;
      }
      try {
        await handleInBatch({ claim, batch });
      } catch {
        // Another batch of the shared transaction may have caused the failure, so retry this one on its own.
        await handle(services, consumer, [{ claim, batch }]).catch((error: unknown) =>
          recordFailure(services, { claim, batch }, error),
        );
      }
    },
  };
}

/**
 * The turns of partitions of the queue: consumers, then accounts, then their environments.
 * @param noted the batches of partitions that this process has stored or loaded
 */
async function turnsOfBatches(
  database: WorkerServices['database'],
  noted: ReadonlyMap<string, BatchOwner>,
  partitionIds: readonly string[],
): Promise<ReadonlyMap<string, Turns>> {
  const unknown = partitionIds.filter((id) => !noted.has(id));
  const owners = new Map(await ownersOf(database, unknown));
  for (const id of partitionIds) {
    const owner = noted.get(id);
    if (owner) owners.set(id, owner);
  }
  const environmentIds = new Set([...owners.values()].map(({ environmentId }) => environmentId));
  const turns = await environmentTurns(database)([...environmentIds]);
  return new Map(
    [...owners].map(([id, { consumer, environmentId }]) => [
      id,
      [consumer, ...(turns.get(environmentId) ?? [environmentId])],
    ]),
  );
}

/**
 * Passes batches to a consumer in one transaction. @returns for each batch whether it was handled; false if its lease
 * was lost
 */
async function handle(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  consumer: EventConsumer,
  claimed: readonly ClaimedBatch[],
): Promise<boolean[]> {
  const handled = await transaction(`Event consumer ${consumer.name}`, async (context) => {
    const { db } = context;
    const leased = await lockLeases(
      db,
      batchQueue,
      claimed.map(({ claim }) => claim),
    );
    const valid = claimed.filter(({ claim }) => leased.has(claim));
    if (valid.length === 0) return leased;
    const batches = valid.map(({ batch }) => batch);
    const events = await readEvents(db, batches, consumer);
    if (events.length > 0) await consumer.handle(events, context);
    await removeBatches(db, batches);
    await completeMany(
      db,
      batchQueue,
      valid.map(({ claim }) => claim),
    );
    crashPoint('events.consume.before');
    return leased;
  });
  crashPoint('events.consume.after');
  return claimed.map(({ claim }) => handled.has(claim));
}

/**
 * Postpones a failed batch with exponential back-off. From its second failure on, a batch is split in half, until the
 * failing event is the only one in its batch and all others are handled. Conflicts and lost connections are rethrown,
 * because the events did not cause them.
 */
async function recordFailure(
  { database, log, clock }: WorkerServices,
  { claim, batch }: ClaimedBatch,
  error: unknown,
): Promise<void> {
  const { consumer, environmentId, lane, first, last } = batch;
  const logFields = { consumer, environmentId, lane, first, last, attempts: claim.attempts };
  if (isConflict(error) || isUnavailable(error)) throw error;
  const now = clock.now();
  const split = claim.attempts > 1 && sizeOf(batch) > 1;
  const dueAt = shift(now, Math.min(2 ** claim.attempts * 1_000, maxBackoffMs));
  log.error(
    { err: error, ...logFields, dueAt },
    split ? 'an event consumer failed; its batch is split' : 'an event consumer failed; its batch is postponed',
  );
  await database.transaction(async (db) => {
    if (!split) {
      if (!(await postponeWork(db, batchQueue, claim, dueAt))) return;
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      await db.defer({
        sql: 'UPDATE svc_event_batch SET error = ? WHERE id = ?',
        parameters: [reason, idBytes(batch.id)],
      });
      return;
    }
    if (!(await completeWork(db, batchQueue, claim))) return;
    const middle = Math.floor((first + last) / 2);
    await removeBatches(db, [batch]);
    await storeBatches(
      db,
      [
        { ...batch, last: middle },
        { ...batch, first: middle + 1 },
      ],
      now,
    );
  });
}

/**
 * Handles a batch whose consumer this process does not know. Another node may know the consumer, during an upgrade or
 * with other products enabled. The batch therefore waits an hour for such a node; then the product counts as disabled,
 * and the batch is removed.
 */
async function keepOrDrop(
  { database, clock, log }: WorkerServices,
  claim: Claim,
  batch: StoredBatch | undefined,
): Promise<void> {
  if (batch && claim.attempts <= unknownConsumerTries) {
    await postponeWork(database, batchQueue, claim, shift(clock.now(), unknownConsumerMs));
    return;
  }
  if (batch) log.warn({ consumer: batch.consumer }, 'events are dropped: no node knows their consumer');
  await database.transaction(async (db) => {
    if (!(await completeWork(db, batchQueue, claim))) return;
    await db.defer({ sql: 'DELETE FROM svc_event_batch WHERE id = ?', parameters: [idBytes(claim.id)] });
  });
}
