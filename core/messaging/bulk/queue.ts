import { closedEnvironments } from '#core/kernel/environment/environment.js';
import { turnsThrough } from '#core/kernel/environment/turns.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { completeWork, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import { heldBroadcasts } from '../delivery/partitions.js';
import { createRecorder } from '../delivery/recorder.js';
import type { Sending } from '../delivery/sending.js';
import type { MessageFields } from '../tables.js';
import { checkChunk, type Chunk } from './check.js';
import type { BulkDriver } from './driver.js';
import { createTakeOver, endChunk, giveBack, handOver } from './leave.js';
import { chunkJournal, recoverChunk } from './journal.js';
import { renderPart, sendPart, type RenderedPart, type SendingChunk } from './send.js';

/** Chunks that a process works on at once: of all accounts, of one, and of one broadcast. */
const [concurrency, perAccount, perBroadcast] = [24, 3, 2];
/** How long a process works on a chunk before others have their turn. */
const turnMs = 10_000;
/** How many messages are checked and rendered together: as many as leave in this time, within these bounds. */
const [partMs, smallestPart, firstPart, largestPart] = [60, 20, 100, 200];

/**
 * The work queue of chunks (see driver.ts).
 * @param sending shared with the channel's delivery queue
 */
export function bulkQueue<B extends BroadcastFields, M extends MessageFields, C>(
  services: WorkerServices,
  bulk: BulkDriver<B, M, C>,
  sending: Sending,
): WorkQueue {
  const { database, clock, log } = services;
  const { kind, delivery, chunks } = bulk;
  const { broadcasts } = kind.tables;
  const known = new WeakMap<Claim, Chunk>();
  const recorder = createRecorder(services, delivery);

  const load = async (claims: readonly Claim[]): Promise<void> => {
    const rows = await database.rows<{
      id: Buffer;
      last_id: Buffer;
      made_at: Date | null;
      environment_id: Buffer;
      topic: Buffer;
    }>(
      `SELECT k.id, k.last_id, m.created_at AS made_at, b.environment_id, b.topic
       FROM ${chunks.table} k JOIN ${broadcasts.tableName} b ON b.id = k.partition_id
       LEFT JOIN ${kind.driver.tables.messages.tableName} m ON m.id = k.id WHERE k.id IN (?)`,
      [claims.map(({ id }) => idBytes(id))],
    );
    const byId = new Map(rows.map((row) => [idText(row.id), row]));
    for (const claim of claims) {
      const row = byId.get(claim.id);
      if (!row) continue;
      const environmentId = idText(row.environment_id);
      known.set(claim, {
        claim,
        broadcastId: claim.partitionId,
        environmentId,
        lastId: idText(row.last_id),
        madeAt: row.made_at ?? clock.now(),
        topic: row.topic.toString(),
      });
    }
  };

  /** Removes a chunk whose broadcast does not exist. */
  const removeChunk = async (claim: Claim): Promise<void> => {
    await database.run(`DELETE FROM ${bulk.journal.tableName} WHERE work_id = ?`, [idBytes(claim.id)]);
    await completeWork(database, chunks, claim);
  };

  /** Delivers a chunk until it is empty, or others have their turn. */
  const deliver = async (chunk: Chunk, isStopping: () => boolean): Promise<void> => {
    const running = new Set<Promise<void>>();
    const withdrawn = new Set<string>();
    const takeOver = createTakeOver(services, bulk, chunk);
    const { store, record } = chunkJournal(services, bulk, chunk, async (accepted) => {
      const { message, environment, recipient, answer, durationMs } = accepted;
      const own = await takeOver(message.id);
      if (!own) return;
      const outcome = { claim: own, message, environment, recipients: [recipient], blocked: new Map<string, never>() };
      await recorder.recordAttempt(outcome, { durationMs, message, recipients: [answer] });
    });
    const ended = await deliverParts({
      chunk,
      sending,
      store,
      takeOver,
      recorder,
      running,
      withdrawn,
      isStopping,
    }).then(
      (isEmpty) => ({ isEmpty }),
      (error: unknown) => ({ error }),
    );
    await Promise.all(running);
    try {
      await record();
    } catch (error) {
      // The row stays leased until its lease expires, and whoever finds that records the journal.
      log.error({ err: error, queue: chunks.name }, 'accepted messages could not be recorded; this is repeated');
      return;
    }
    if ('error' in ended) throw ended.error;
    if (ended.isEmpty && withdrawn.size === 0) await endChunk(services, bulk, chunk);
    else await giveBack(services, bulk, chunk);
  };

  /** @returns whether all messages of the chunk have been submitted or handed over */
  const deliverParts = async (chunkOf: SendingChunk<B, M>): Promise<boolean> => {
    const { chunk } = chunkOf;
    const endsAt = performance.now() + turnMs;
    let count = firstPart;
    const next = async (after: string): Promise<RenderedPart<B, M, C> | 'stopped' | 'lost' | 'end'> => {
      const checked = await checkChunk(services, bulk, chunk, { after, upTo: chunk.lastId, count });
      if (checked.kind !== 'open') return checked.kind;
      return checked.messages.length === 0 ? 'end' : renderPart(bulk, chunk, checked, after);
    };
    let part = await next(noId);
    while (part !== 'end') {
      if (part === 'lost' || part === 'stopped' || chunkOf.isStopping() || performance.now() > endsAt) return false;
      const began = performance.now();
      await handOver(services, bulk, chunk, part.left, clock.now());
      // The next part is checked and rendered while the second half of this one leaves.
      let following: ReturnType<typeof next> | undefined;
      const { lastId } = part;
      const sent = await sendPart(services, bulk, part, chunkOf, () => {
        following ??= next(lastId);
        following.catch(() => undefined);
      });
      if (sent === 'stopped') return false;
      const perMs = part.messages.length / Math.max(1, performance.now() - began);
      count = Math.round(Math.min(largestPart, Math.max(smallestPart, perMs * partMs)));
      part = await (following ?? next(lastId));
    }
    return true;
  };

  return {
    ...chunks,
    concurrency,
    claimAtOnce: perBroadcast,
    perPartition: () => perBroadcast,
    turnsOf: turnsThrough(database, broadcasts),
    perOwner: [{ most: perAccount }],
    excludedPartitions: [{ partitions: closedEnvironments }, ...heldBroadcasts(kind.driver.tables)],
    prepare: load,
    async recover(claims) {
      await load(claims);
      for (const claim of claims) {
        const chunk = known.get(claim);
        if (chunk) await recoverChunk(services, bulk, chunk);
        else await removeChunk(claim);
      }
    },
    async perform(claim, _freeSlot, isStopping) {
      if (!known.has(claim)) await load([claim]);
      const chunk = known.get(claim);
      if (chunk) await deliver(chunk, isStopping);
      else await removeChunk(claim);
    },
  };
}

/** Below every id. */
const noId = idText(Buffer.alloc(16));
