import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import { isUnavailable } from '#core/runtime/database/errors.js';
import { idList } from '#core/runtime/database/literal.js';
import { retryWhileUnreachable } from '#core/runtime/database/server/retry-while-unreachable.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { rescheduleMany } from '#core/runtime/work/queue.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import type { BroadcastDriver } from '../broadcasts/driver.js';
import type { DeliveryDriver } from '../driver.js';
import type { StoredAnswer } from '../journal-columns.js';
import { loadMessages } from '../load.js';
import type { MessageFields } from '../tables.js';
import type { Chunk } from './check.js';
import type { BulkDriver } from './driver.js';
import { recordAccepted, removeJournal, type Accepted } from './record.js';

/*
 * A transaction that records messages takes about 2 ms however few they are, and many at once cost half as much each.
 * But a message that was accepted and is not recorded is sent again after a crash. So the answers of about fifty
 * messages at a time are stored in one small row, the journal, and hundreds are recorded together later, in the
 * transaction that deletes those rows. If the process dies in between, the one that finds the chunk's lease expired
 * records them. The row of a chunk with a journal stays leased until then (QueueRef.journal), so nobody
 * else ends, cancels or redacts its messages.
 */

/** Answers are stored after this time, or once this many wait: half of those that may be unrecorded (send-slots.ts). */
const [gatherMs, enough] = [50, 48];
/** Messages are recorded after this time, or once this many are stored. */
const [recordAfterMs, recordTogether] = [250, 400];

/** The journal of a chunk that this process has leased. */
export interface ChunkJournal<B, M> {
  /** Stores the answer to a message that was accepted. @returns false if the lease is lost: it is sent again */
  store(accepted: Accepted<B, M>): Promise<boolean>;
  /** Records everything that is stored. Call it before the chunk is given back or ended. */
  record(): Promise<void>;
}

/**
 * @param recordAlone called with a message that cannot be recorded with others, because its answer cannot be stored
 */
export function chunkJournal<B extends BroadcastFields, M extends MessageFields, C>(
  services: Pick<WorkerServices, 'database' | 'transaction'>,
  bulk: BulkDriver<B, M, C>,
  chunk: Chunk,
  recordAlone: (accepted: Accepted<B, M>) => Promise<void>,
): ChunkJournal<B, M> {
  const { database } = services;
  const { kind, delivery, chunks, journal } = bulk;
  const { id, leaseToken } = chunk.claim;
  let lastSeq = 0;
  let stored: { readonly seq: number; readonly accepted: readonly Accepted<B, M>[] }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let recording: Promise<void> = Promise.resolve();

  const store = async (all: readonly Accepted<B, M>[]): Promise<boolean[]> => {
    lastSeq += 1;
    const seq = lastSeq;
    const answers = JSON.stringify(all.map((each) => storedAnswer(each, delivery.renderedFields ?? [])));
    const { affectedRows } = await retryWhileUnreachable(() =>
      database.run(
        // A lease that has expired may be given to another process at any moment.
        `INSERT INTO ${journal.tableName} (work_id, seq, answers)
         SELECT id, ?, ? FROM ${chunks.table} FORCE INDEX (PRIMARY)
         WHERE id = ? AND leased = 1 AND lease_token = ? AND lease_until > NOW(3) LOCK IN SHARE MODE`,
        [seq, answers, idBytes(id), leaseToken],
      ),
    );
    if (affectedRows === 0) return all.map(() => false);
    crashPoint(`${kind.name}.outcomes.stored`);
    stored.push({ seq, accepted: all });
    const isEnough = stored.reduce((sum, { accepted }) => sum + accepted.length, 0) >= recordTogether;
    if (isEnough) void recordStored().catch(() => undefined);
    else timer ??= setTimeout(() => void recordStored().catch(() => undefined), recordAfterMs);
    return all.map(() => true);
  };

  const recordStored = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    recording = recording.then(async () => {
      const batches = stored;
      stored = [];
      const all = batches.flatMap(({ accepted }) => accepted);
      if (all.length > 0)
        await recordAll(
          all,
          batches.map(({ seq }) => seq),
        );
    });
    return recording;
  };

  const recordAll = async (all: readonly Accepted<B, M>[], seqs: readonly number[]): Promise<void> => {
    try {
      await retryWhileUnreachable(() => recordAccepted(services, bulk, chunk, all, seqs));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // The answer to one of them may be what cannot be stored.
      for (const each of all) await recordAccepted(services, bulk, chunk, [each], []).catch(() => recordAlone(each));
      await database.run(removeJournal(journal, id, seqs));
    }
  };

  return { store: createBatcher(store, { maxItems: 200, enough, gatherMs }), record: recordStored };
}

function storedAnswer<B, M extends MessageFields>(
  { message, answer, durationMs }: Accepted<B, M>,
  fields: readonly (keyof M & string)[],
): StoredAnswer {
  const { code, response, providerId = null } = answer;
  const rendered = Object.fromEntries(fields.map((field) => [field, message[field]]));
  return { id: message.id, code, response: response.slice(0, 500), providerId, durationMs, rendered };
}

/** Records what the journal of a chunk has, whose lease this process has taken over, and releases the chunk. */
export async function recoverChunk<B extends BroadcastFields, M extends MessageFields, C>(
  services: Pick<WorkerServices, 'database' | 'transaction' | 'clock'>,
  bulk: BulkDriver<B, M, C>,
  chunk: Chunk,
): Promise<void> {
  const { database, clock } = services;
  const { kind, delivery, chunks, journal } = bulk;
  const { claim, environmentId, broadcastId } = chunk;
  const rows = await database.rows<object>(
    `SELECT ${journal.columnList()} FROM ${journal.tableName} WHERE work_id = ? ORDER BY seq`,
    [idBytes(claim.id)],
  );
  const batches = rows.map(journal.decode);
  const seqs = batches.map(({ seq }) => seq);
  const answers = new Map(batches.flatMap((batch) => batch.answers.map((each) => [each.id, each])));
  const [environment, broadcast, messages] = await Promise.all([
    findEnvironment(database, environmentId),
    readBroadcast(database, kind, broadcastId),
    loadMessages(database, delivery, await stillQueued(database, delivery, [...answers.keys()])),
  ]);
  const accepted = [...messages.values()].flatMap(({ message, recipients: [recipient] }): Accepted<B, M>[] => {
    const stored = answers.get(message.id);
    if (!stored || !recipient || !environment || !broadcast) return [];
    const { code, response, providerId, durationMs, rendered } = stored;
    const answer = { address: recipient.address, outcome: 'sent' as const, code, response, providerId };
    return [{ broadcast, environment, message: { ...message, ...rendered }, recipient, answer, durationMs }];
  });
  const isRecorded = await recordAccepted(services, bulk, chunk, accepted, seqs);
  if (!isRecorded) return;
  if (accepted.length === 0 && seqs.length > 0) await database.run(removeJournal(journal, claim.id, seqs));
  await rescheduleMany(database, chunks, [{ claim, dueAt: clock.now() }]);
}

/** @returns those messages that wait in a chunk: the others were recorded in another way */
async function stillQueued<M extends MessageFields, C>(
  database: WorkerServices['database'],
  { tables, queue }: DeliveryDriver<M, C>,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database.rows<{ id: Buffer }>(
    `SELECT m.id FROM ${tables.messages.tableName} m FORCE INDEX (PRIMARY)
     WHERE m.id IN (?) AND m.status = 'queued' AND NOT EXISTS (SELECT 1 FROM ${queue.table} w WHERE w.id = m.id)`,
    [idList(ids)],
  );
  return rows.map(({ id }) => idText(id));
}

async function readBroadcast<B extends BroadcastFields, M extends MessageFields>(
  database: WorkerServices['database'],
  { tables: { broadcasts } }: BroadcastDriver<B, M>,
  id: string,
): Promise<B | null> {
  const [row] = await database.rows<object>(
    `SELECT ${broadcasts.columnList()} FROM ${broadcasts.tableName} WHERE id = ?`,
    [idBytes(id)],
  );
  return row ? broadcasts.decode(row) : null;
}
