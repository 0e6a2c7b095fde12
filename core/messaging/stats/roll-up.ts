import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { statDays, statCounters, type StatTables } from '../stat-tables.js';
import { limitTags } from './limit-tags.js';

/** Changes per transaction. */
const batchSize = 2_000;

/**
 * Adds the changes that have committed to the counts, and removes them. Several processes may do it at the same time:
 * each takes different changes.
 * @returns how many changes there were
 */
export async function rollUp(
  database: Pick<ConnectedDatabase, 'transaction'>,
  { counts, changes }: StatTables,
): Promise<number> {
  const keys = 'environment_id, dimension, value, day';
  const sums = statCounters.map((status) => `SUM(${status})`).join(', ');
  const additions = statCounters.map((status) => `${status} = ${counts.tableName}.${status} + VALUES(${status})`);
  for (let total = 0; ;) {
    const done = await database.transaction(async (db) => {
      const rows = await db.rows<{ id: Buffer }>(
        `SELECT id FROM ${changes.tableName} FORCE INDEX (PRIMARY) ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED`,
        [batchSize],
      );
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await limitTags(db, { counts, changes }, ids);
      // In the order of the key, so that two processes do not deadlock.
      await db.run(
        `INSERT INTO ${counts.tableName} (${keys}, ${statCounters.join(', ')})
         SELECT ${keys}, ${sums} FROM ${changes.tableName} WHERE id IN (?) GROUP BY ${keys} ORDER BY ${keys}
         ON DUPLICATE KEY UPDATE ${additions.join(', ')};
         DELETE FROM ${changes.tableName} WHERE id IN (?)`,
        [ids, ids],
      );
      return rows.length;
    });
    total += done;
    if (done < batchSize) return total;
  }
}

/** Deletes counts that are older than they are kept. @param today see dayOf */
export const forgetOldStats = (
  database: Pick<ConnectedDatabase, 'run'>,
  { counts }: StatTables,
  today: number,
): Promise<void> =>
  deleteInBatches(database, `DELETE FROM ${counts.tableName} WHERE day < ? ORDER BY day`, [today - statDays]);
