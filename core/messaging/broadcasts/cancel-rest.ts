import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import { countMoves } from '../stats/count.js';
import { inChunk, messagesPerChunk, type ChunkSource } from '../chunks.js';
import type { MessageFields } from '../tables.js';
import type { MessageDriver } from '../driver.js';
import type { BroadcastDriver } from './driver.js';
import { countStatements } from '../broadcast-counts.js';
import { eventRows } from './event-rows.js';
import { idPrefix } from './ids.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import { joined, type RawSql } from '#core/runtime/database/statement.js';

/** Messages in one batch. */
const messagesPerBatch = 5_000;

/**
 * Ends messages of a cancelled broadcast that no worker has leased, one batch of them. People see them as cancelled
 * already (`shownCounts`); this writes it to their rows, with an event for each.
 * @returns the number of messages; 0 when none is left that is free
 */
export async function cancelMessages<B extends BroadcastFields, M extends MessageFields>(
  context: FullContext,
  kind: BroadcastDriver<B, M>,
  broadcast: B,
  environment: Environment,
): Promise<number> {
  const { db, clock } = context;
  const { driver, tables } = kind;
  const { messages, recipients } = driver.tables;
  const at = broadcast.cancelledAt ?? clock.now();
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT id FROM ${driver.queue.table} AS work FORCE INDEX (claim) WHERE leased = 0 AND lane = ${lanes.bulk} AND partition_id = ?${
      driver.unsettled === undefined
        ? ''
        : ` AND (attempts = 0 OR NOT EXISTS (SELECT 1 FROM ${messages.tableName} m WHERE m.id = work.id AND ${driver.unsettled}))`
    }
     ORDER BY due_at, id LIMIT ${messagesPerBatch} FOR UPDATE SKIP LOCKED`,
    [idBytes(broadcast.id)],
  );
  const taken = rows.length === 0 ? await takeChunks(db, driver, broadcast.id) : undefined;
  const waiting = taken?.messages ?? rows;
  if (waiting.length === 0) {
    // Chunks whose messages had all left them.
    if (taken && taken.chunks > 0) return taken.chunks;
    await handBackUnsettled(context, driver, broadcast, environment);
    return 0;
  }
  const ids = idsOf(waiting);
  await db.run(`DELETE work FROM ${driver.queue.table} AS work FORCE INDEX (PRIMARY) WHERE work.id IN (?)`, [ids]);
  await db.run(
    `UPDATE ${messages.tableName} FORCE INDEX (PRIMARY) SET status = 'cancelled', ended_at = ? WHERE id IN (?)`,
    [at, ids],
  );
  await db.run(
    `UPDATE ${recipients.tableName} FORCE INDEX (PRIMARY) SET status = 'cancelled', ended_at = ?
     WHERE message_id IN (?) AND status = 'queued'`,
    [at, ids],
  );
  crashPoint(`${kind.name}.broadcast.cancelled`);
  const ended = [{ broadcastId: broadcast.id, status: 'cancelled' as const, count: waiting.length }];
  const message: M = { ...kind.messageOf(broadcast, at), status: 'cancelled', endedAt: at };
  // Messages are counted by the day on which they were made.
  const days = await db.rows<{ made: Date; count: number }>(
    `SELECT MIN(created_at) AS made, COUNT(*) AS count FROM ${messages.tableName} FORCE INDEX (PRIMARY) WHERE id IN (?) GROUP BY DATE(created_at)`,
    [ids],
  );
  const moves = days.map(({ made, count }) => ({
    message: { ...message, createdAt: made },
    from: 'queued' as const,
    to: 'cancelled' as const,
    count,
  }));
  await db.run(joined([...countMoves(driver.tables.stats, moves), ...countStatements(tables, ended, clock.now())]));
  await kind.reverseAllUsage(context, environment, broadcast, { sql: ids, days });
  await context.emitSelected(kind.messageEvents.cancelled, {
    rows: eventRows(kind, message, idPrefix(), {
      sql: `FROM ${messages.tableName} m FORCE INDEX (PRIMARY) WHERE m.id IN (?)`,
      parameters: [ids],
      ordinal: 'ROW_NUMBER() OVER (ORDER BY m.id)',
    }),
    environment,
    lane: 'bulk',
    activityId: broadcast.activityId,
  });
  return waiting.length;
}

/** Removes chunks that no worker has leased. @returns how many, and the messages that were in them */
async function takeChunks(
  db: FullContext['db'],
  source: ChunkSource,
  broadcastId: string,
): Promise<{ chunks: number; messages: { id: Buffer }[] }> {
  const { chunks, tables } = source;
  if (chunks === undefined) return { chunks: 0, messages: [] };
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT id FROM ${chunks.table} FORCE INDEX (claim) WHERE leased = 0 AND lane = ${lanes.bulk} AND partition_id = ?
     ORDER BY due_at, id LIMIT ${messagesPerBatch / messagesPerChunk} FOR UPDATE SKIP LOCKED`,
    [idBytes(broadcastId)],
  );
  if (rows.length === 0) return { chunks: 0, messages: [] };
  const messages = await db.rows<{ id: Buffer }>(
    `SELECT m.id FROM ${chunks.table} k JOIN ${tables.messages.tableName} m ON ${inChunk(source, 'k.id', 'k.last_id', 'k.partition_id')}
     WHERE k.id IN (?)`,
    [idsOf(rows)],
  );
  await db.run(`DELETE k FROM ${chunks.table} AS k FORCE INDEX (PRIMARY) WHERE k.id IN (?)`, [idsOf(rows)]);
  return { chunks: rows.length, messages };
}

/**
 * Moves remaining messages of a cancelled broadcast, one batch of them, to the delivery of single messages: messages
 * of the broadcast itself are no longer claimed, and svc must find out whether these have reached somebody
 * (DeliveryDriver.settle).
 */
async function handBackUnsettled<M extends MessageFields>(
  { db, wake }: Pick<FullContext, 'db' | 'wake'>,
  { queue, tables, unsettled }: MessageDriver<M>,
  { id }: Pick<BroadcastFields, 'id'>,
  environment: Environment,
): Promise<void> {
  if (unsettled === undefined) return;
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT id FROM ${queue.table} AS work FORCE INDEX (claim) WHERE leased = 0 AND lane = ${lanes.bulk} AND partition_id = ?
       AND EXISTS (SELECT 1 FROM ${tables.messages.tableName} m WHERE m.id = work.id AND ${unsettled})
     ORDER BY due_at, id LIMIT ${messagesPerBatch} FOR UPDATE SKIP LOCKED`,
    [idBytes(id)],
  );
  if (rows.length === 0) return;
  await db.run(
    `UPDATE ${queue.table} FORCE INDEX (PRIMARY) SET lane = ${lanes.transactional}, partition_id = ? WHERE id IN (?)`,
    [idBytes(environment.id), idsOf(rows)],
  );
  wake(queue.name);
}

const idsOf = (rows: readonly { readonly id: Buffer }[]): RawSql => ({
  toSqlString: () => rows.map(({ id }) => `x'${id.toString('hex')}'`).join(','),
});
