import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { lanes, withdrawWork, type QueueRef } from '#core/runtime/work/queue.js';
import type { Table } from '#core/runtime/database/table.js';
import type { MessageFields } from './tables.js';

/*
 * Chunks: the messages of a broadcast that wait for their first attempt, many in one row of a queue. A chunk has a
 * range of message ids, `id` to `last_id`. Its messages are those of the range that are queued and have no row of their
 * own in the channel's queue. So a message leaves its chunk when it ends or is handed over to the queue, and the row of
 * the chunk does not change.
 *
 * Whoever ends, hands over or redacts a message of a chunk locks the chunk's row first. While a chunk is leased, only
 * the worker that has leased it does so.
 */

/** The most messages in a chunk. Its transactions and its share of the work of a process stay short. */
export const messagesPerChunk = 500;

/** The part of a message driver that chunks are about. */
export interface ChunkSource {
  /** The queue of chunks; absent in channels whose broadcasts have a queue row for each message. */
  readonly chunks?: QueueRef;
  readonly queue: QueueRef;
  readonly tables: { readonly messages: Pick<Table<MessageFields>, 'tableName'> };
}

/**
 * Queues the messages that one statement has made.
 * @param made WHERE and FROM clauses that select them as `m`, and SQL of their number from 1
 */
export const makeChunks = (
  { table }: QueueRef,
  broadcastId: string,
  dueAt: Date,
  made: Statement & { readonly ordinal: string },
): Statement => ({
  sql: `INSERT INTO ${table} (id, partition_id, lane, due_at, attempts, leased, last_id)
    SELECT MIN(made.id), ?, ${lanes.bulk}, ?, 0, 0, MAX(made.id)
    FROM (SELECT m.id, FLOOR((${made.ordinal} - 1) / ${messagesPerChunk}) AS chunk ${made.sql}) made GROUP BY made.chunk`,
  parameters: [idBytes(broadcastId), dueAt, ...made.parameters],
});

/** SQL: whether the message `m` is in the chunk with this range and broadcast. The values are SQL, `?` by default. */
export const inChunk = ({ queue }: Pick<ChunkSource, 'queue'>, first = '?', last = '?', broadcast = '?'): string =>
  `m.id BETWEEN ${first} AND ${last} AND m.broadcast_id = ${broadcast} AND m.status = 'queued'
    AND NOT EXISTS (SELECT 1 FROM ${queue.table} w WHERE w.id = m.id)`;

/** SQL: whether a worker has leased the queued message: its row of the queue, or its chunk. @param message its alias */
export const isLeasedSql = ({ queue, chunks }: Pick<ChunkSource, 'queue' | 'chunks'>, message: string): string => {
  const own = `EXISTS (SELECT 1 FROM ${queue.table} q WHERE q.id = ${message}.id AND q.leased = 1)`;
  if (chunks === undefined) return own;
  return `(${own} OR ${message}.status = 'queued' AND EXISTS (SELECT 1 FROM ${chunks.table} k FORCE INDEX (claim)
    WHERE k.leased = 1 AND k.lane = ${lanes.bulk} AND k.partition_id = ${message}.broadcast_id AND ${message}.id BETWEEN k.id AND k.last_id
      AND NOT EXISTS (SELECT 1 FROM ${queue.table} w WHERE w.id = ${message}.id)))`;
};

/** @returns the ids of those messages that a worker has leased */
export async function leasedMessages(
  db: Pick<ReadSession, 'rows'>,
  source: ChunkSource,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT m.id FROM ${source.tables.messages.tableName} m WHERE m.id IN (?) AND ${isLeasedSql(source, 'm')}`,
    [ids.map(idBytes)],
  );
  return new Set(rows.map(({ id }) => idText(id)));
}

/**
 * Takes a message away from the workers: out of the queue, or out of its chunk, whose row is locked until COMMIT.
 * @returns false if a worker has leased it, or it does not wait
 */
export async function withdrawMessage(db: Session, source: ChunkSource, id: string): Promise<boolean> {
  if (await withdrawWork(db, source.queue, id)) return true;
  if ((await lockChunkOf(db, source, idBytes(id))) !== 'free') return false;
  // It may have been handed over before its chunk was locked.
  if (await withdrawWork(db, source.queue, id)) return true;
  return (await withoutQueueRow(db, source, [idBytes(id)], ' FOR UPDATE')).length > 0;
}

/** Locks the chunks of messages until COMMIT. @returns the messages that are in a chunk which a worker has leased */
export async function lockChunks(db: Session, source: ChunkSource, ids: readonly Buffer[]): Promise<Buffer[]> {
  if (source.chunks === undefined || ids.length === 0) return [];
  const leased: Buffer[] = [];
  for (const id of await withoutQueueRow(db, source, ids, '')) {
    if ((await lockChunkOf(db, source, id)) === 'leased') leased.push(id);
  }
  return leased;
}

/** The queued messages among these that have no row in the queue. */
async function withoutQueueRow(
  db: Session,
  { queue, tables }: ChunkSource,
  ids: readonly Buffer[],
  locking: '' | ' FOR UPDATE',
): Promise<Buffer[]> {
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT m.id FROM ${tables.messages.tableName} m WHERE m.id IN (?) AND m.status = 'queued' AND m.broadcast_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM ${queue.table} w WHERE w.id = m.id) ORDER BY m.id${locking}`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}

/** Locks the chunk whose range has a message. */
async function lockChunkOf(db: Session, { chunks }: ChunkSource, id: Buffer): Promise<'free' | 'leased' | 'none'> {
  if (chunks === undefined) return 'none';
  // Found without a lock: a range that is read with one would lock other chunks too.
  const [before] = await db.rows<{ id: Buffer }>(
    `SELECT id FROM ${chunks.table} WHERE id <= ? ORDER BY id DESC LIMIT 1`,
    [id],
  );
  if (!before) return 'none';
  const [chunk] = await db.rows<{ leased: number; last_id: Buffer }>(
    `SELECT leased, last_id FROM ${chunks.table} WHERE id = ? FOR UPDATE`,
    [before.id],
  );
  if (!chunk || Buffer.compare(chunk.last_id, id) < 0) return 'none';
  return chunk.leased === 0 ? 'free' : 'leased';
}
