import { dayMs, hourMs, shift } from '../../clock.js';
import { firstIdAt } from '../../id.js';
import { deleteInBatches } from '../delete-in-batches.js';
import type { Database } from '../session.js';
import { daysPerPartition, partitionsFrom, partitionsOf, rest, startOfDay, type Partition } from './partition.js';

/** How long a change of partitions waits for running transactions, while new ones wait for it, in seconds. */
const lockSeconds = 1;

interface Expiry {
  /** How long rows are kept, in days; undefined: without a limit. */
  readonly keptDays: number | undefined;
  readonly now: Date;
}

/**
 * Deletes the expired rows of a table. If the table is divided, partitions are dropped whole: a row is kept until all
 * rows of its partition have expired. Also adds the partitions of the next days.
 * @param table with `id`, which begins with its time, and `created_at`, which is at most an hour later
 * @throws the driver's error; also if running transactions hold a divided table for three tries of 1 s
 */
export async function deleteExpired(database: Database, table: string, { keptDays, now }: Expiry): Promise<void> {
  const found = await partitionsOf(database, table);
  // Partitions that an operator made in another way are the operator's to drop.
  const partitions = found.every(({ name, before }) => before ?? name === rest) ? found : [];
  if (partitions.length > 0)
    await addPartitions(database, table, { partitions, days: daysPerPartition(keptDays), now });
  if (keptDays === undefined) return;
  const oldest = shift(now, -keptDays * dayMs);
  const expired = partitions.filter(({ before }) => before && shift(before, hourMs) <= oldest);
  if (expired.length > 0)
    await change(database, `ALTER TABLE ${table} DROP PARTITION ${expired.map(({ name }) => name).join(', ')}`);
  const [first] = partitions.slice(expired.length);
  if (first && !first.isUndivided) return;
  // By the id, so that kept rows are not read, except those of one hour.
  const until = shift(oldest, hourMs);
  const isWithin = !first?.before || until < first.before;
  await deleteInBatches(database, `DELETE FROM ${table} WHERE id < ? AND created_at < ? ORDER BY id`, [
    firstIdAt(isWithin ? until : first.before),
    oldest,
  ]);
}

async function addPartitions(
  database: Database,
  table: string,
  { partitions, days, now }: { partitions: readonly Partition[]; days: number; now: Date },
): Promise<void> {
  const lastEnd = partitions.at(-2)?.before;
  if (!lastEnd || lastEnd > shift(now, 2 * days * dayMs)) return;
  // If svc did not run for a long time, the first new partition covers it.
  const from = lastEnd > now ? lastEnd : startOfDay(now);
  await change(database, `ALTER TABLE ${table} REORGANIZE PARTITION ${rest} INTO (${partitionsFrom(from, days, now)})`);
}

/** ALTER TABLE commits by itself; the transaction keeps the statements on one connection. */
const change = (database: Pick<Database, 'transaction'>, sql: string): Promise<void> =>
  database.transaction(async (db) => {
    await db.run(`SET lock_wait_timeout = ${lockSeconds}`);
    try {
      await db.run(sql);
    } finally {
      await db.run('SET lock_wait_timeout = DEFAULT');
    }
  });
