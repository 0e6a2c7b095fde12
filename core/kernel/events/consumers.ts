import { shift } from '#core/runtime/clock.js';
import { isConflict, isConnectionLost } from '#core/runtime/database/errors.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { createBatcher, type Batcher } from '#core/runtime/work/batcher.js';
import {
  completeMany,
  completeWork,
  lockLeases,
  postponeWork,
  type Claim,
  type WorkQueue,
} from '#core/runtime/work/queue.js';
import type { WorkerServices } from '../worker-services.js';
import { batchQueue, loadBatches, readEvents, removeBatches, sizeOf, storeBatches, type StoredBatch } from './batch.js';
import type { EventConsumer } from './consumer.js';

/** Batches of one consumer that one process works on at once; they share transactions. */
const perConsumer = 64;
/** Events of one transaction. */
const eventsAtOnce = 1_000;
const longestWaitMs = 300_000;

interface ClaimedBatch {
  claim: Claim;
  batch: StoredBatch;
}

/**
 * The work queue that hands batches of events to their consumers. Every consumer has slots and transactions of its own, so a slow or
 * failing one delays no other, and batches are claimed round-robin over environments, lane by lane.
 */
export function eventConsumers(services: WorkerServices, consumers: readonly EventConsumer[]): WorkQueue {
  const { database } = services;
  const handlers = new Map<string, Batcher<ClaimedBatch, boolean>>(
    consumers.map((consumer) => [
      consumer.name,
      createBatcher((claimed) => handle(services, consumer, claimed), {
        maxItems: perConsumer,
        weight: ({ batch }) => sizeOf(batch),
        maxWeight: eventsAtOnce,
      }),
    ]),
  );
  const byName = new Map(consumers.map((consumer) => [consumer.name, consumer]));
  const loaded = new WeakMap<Claim, StoredBatch>();
  const consumerOf = new Map<string, string>();

  return {
    ...batchQueue,
    concurrency: perConsumer * Math.max(1, consumers.length),
    perPartition: () => 1,
    group: { most: perConsumer, of: (partitionId) => consumerOf.get(partitionId) },
    // Events of closed accounts are handed over too.
    excludedPartitions: [],
    async prepare(claims) {
      const batches = await loadBatches(
        database,
        claims.map(({ id }) => id),
      );
      if (consumerOf.size > 50_000) consumerOf.clear();
      for (const claim of claims) {
        const batch = batches.get(claim.id);
        if (!batch) continue;
        loaded.set(claim, batch);
        consumerOf.set(claim.partitionId, batch.consumer);
      }
    },
    async perform(claim) {
      const batch = loaded.get(claim) ?? (await loadBatches(database, [claim.id])).get(claim.id);
      const consumer = batch && byName.get(batch.consumer);
      const handleTogether = batch && handlers.get(batch.consumer);
      if (!batch || !consumer || !handleTogether) {
        // Its product has been disabled since.
        await dropBatch(services, claim);
        return;
      }
      try {
        await handleTogether({ claim, batch });
      } catch {
        // Another batch of the transaction may be to blame: this one is handled by itself.
        await handle(services, consumer, [{ claim, batch }]).catch((error: unknown) =>
          recordFailure(services, { claim, batch }, error),
        );
      }
    },
  };
}

/** Hands some batches to a consumer, in one transaction. @returns for each whether it was handled: false where its lease was lost */
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
    const valid = claimed.filter(({ claim }) => leased.has(claim.id));
    if (valid.length === 0) return leased;
    const batches = valid.map(({ batch }) => batch);
    const events = await readEvents(db, batches);
    const wanted = events.filter(({ type }) => consumer.types?.includes(type) ?? true);
    if (wanted.length > 0) await consumer.handle(wanted, context);
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
  return claimed.map(({ claim }) => handled.has(claim.id));
}

/**
 * Postpones a batch that failed, later each time. When it fails for the second time it is split into halves, so that in the end the event
 * at fault is alone and all others are handled. A conflict or a lost connection says nothing about the events.
 */
async function recordFailure(
  { database, log, clock }: WorkerServices,
  { claim, batch }: ClaimedBatch,
  error: unknown,
): Promise<void> {
  const { consumer, environmentId, lane, first, last } = batch;
  const facts = { consumer, environmentId, lane, first, last, attempts: claim.attempts };
  if (isConflict(error) || isConnectionLost(error)) throw error;
  const now = clock.now();
  const split = claim.attempts > 1 && sizeOf(batch) > 1;
  const dueAt = shift(now, Math.min(2 ** claim.attempts * 1_000, longestWaitMs));
  log.error(
    { err: error, ...facts, dueAt },
    split ? 'an event consumer failed; its batch is split' : 'an event consumer failed; its batch is postponed',
  );
  await database.transaction(async (db) => {
    if (!split) {
      if (!(await postponeWork(db, batchQueue, claim, dueAt))) return;
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      await db.defer('UPDATE svc_event_batch SET error = ? WHERE id = ?', [reason, idBytes(batch.id)]);
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

async function dropBatch({ database }: WorkerServices, claim: Claim): Promise<void> {
  await database.transaction(async (db) => {
    if (!(await completeWork(db, batchQueue, claim))) return;
    await db.defer('DELETE FROM svc_event_batch WHERE id = ?', [idBytes(claim.id)]);
  });
}
