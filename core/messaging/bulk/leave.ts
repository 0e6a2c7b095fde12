import type { WorkerServices } from '#core/kernel/worker-services.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import { idList } from '#core/runtime/database/literal.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { leaseNew } from '#core/runtime/work/leases.js';
import {
  completeMany,
  enqueueLeasedStatement,
  lanes,
  lockLeases,
  postponeMany,
  rescheduleMany,
  type Claim,
} from '#core/runtime/work/queue.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import { inChunk } from '../chunks.js';
import type { MessageFields } from '../tables.js';
import type { Chunk } from './check.js';
import type { BulkDriver } from './driver.js';

type Services = Pick<WorkerServices, 'database' | 'clock' | 'wake'>;

/**
 * Moves messages of a chunk to the delivery queue, one row each, which finds out why they are not sent, or when.
 * @param dueAt when they are due
 */
export async function handOver<B extends BroadcastFields, M extends MessageFields, C>(
  { database, wake }: Services,
  { kind, delivery, chunks }: BulkDriver<B, M, C>,
  { claim, broadcastId }: Chunk,
  ids: readonly string[],
  dueAt: Date,
): Promise<void> {
  if (ids.length === 0) return;
  const { queue } = delivery;
  await database.transaction(async (db) => {
    if (!(await lockLeases(db, chunks, [claim])).has(claim)) return;
    await db.run(
      `INSERT INTO ${queue.table} (id, partition_id, lane, due_at, attempts, leased)
       SELECT m.id, ?, ${lanes.bulk}, ?, 0, 0 FROM ${kind.driver.tables.messages.tableName} m FORCE INDEX (PRIMARY)
       WHERE m.id IN (?) AND m.status = 'queued' AND NOT EXISTS (SELECT 1 FROM ${queue.table} w WHERE w.id = m.id)`,
      [idBytes(broadcastId), dueAt, idList(ids)],
    );
  });
  wake(queue.name);
}

/**
 * Moves a message that was attempted to the delivery queue, leased by this process, which then records the attempt
 * there (Recorder). Messages that are moved at the same time share a transaction.
 * @returns its claim; null if the lease of the chunk is lost
 */
export type TakeOver = (id: string) => Promise<Claim | null>;

export const createTakeOver = <B extends BroadcastFields, M extends MessageFields, C>(
  { database, clock }: Services,
  { delivery, chunks }: BulkDriver<B, M, C>,
  { claim, broadcastId }: Chunk,
): TakeOver =>
  createBatcher(
    async (ids: readonly string[]) => {
      const dueAt = clock.now();
      const claims = leaseNew(ids.map((id) => ({ id, partitionId: broadcastId, lane: 'bulk', dueAt })));
      return database.transaction(async (db) => {
        if (!(await lockLeases(db, chunks, [claim])).has(claim)) return ids.map(() => null);
        await db.run(
          enqueueLeasedStatement(
            delivery.queue,
            claims.map((own) => ({ claim: own, dueAt })),
          ),
        );
        return claims;
      });
    },
    { maxItems: 200 },
  );

/** Gives a chunk back: other work has its turn, or its broadcast is not being sent. */
export const giveBack = <B extends BroadcastFields, M extends MessageFields, C>(
  { database, clock }: Services,
  { chunks }: BulkDriver<B, M, C>,
  { claim }: Chunk,
): Promise<void> => rescheduleMany(database, chunks, [{ claim, dueAt: clock.now() }]);

/** How long a chunk waits of which messages are left that could not be recorded. */
const leftMs = 1_000;

/** Ends a chunk whose messages have all left it. One of which some are left is due again. */
export async function endChunk<B extends BroadcastFields, M extends MessageFields, C>(
  { database, clock }: Services,
  bulk: BulkDriver<B, M, C>,
  { claim, lastId, broadcastId }: Chunk,
): Promise<void> {
  await database.transaction(async (db) => {
    if (!(await lockLeases(db, bulk.chunks, [claim])).has(claim)) return;
    if (await hasWaiting(db, bulk, [claim.id, lastId, broadcastId]))
      await postponeMany(db, bulk.chunks, [{ claim, dueAt: new Date(clock.now().getTime() + leftMs) }]);
    else await completeMany(db, bulk.chunks, [claim]);
  });
}

async function hasWaiting<B extends BroadcastFields, M extends MessageFields, C>(
  db: Session,
  { kind: { driver } }: BulkDriver<B, M, C>,
  range: readonly string[],
): Promise<boolean> {
  const rows = await db.rows(
    `SELECT m.id FROM ${driver.tables.messages.tableName} m FORCE INDEX (PRIMARY) WHERE ${inChunk(driver)} LIMIT 1`,
    range.map(idBytes),
  );
  return rows.length > 0;
}
