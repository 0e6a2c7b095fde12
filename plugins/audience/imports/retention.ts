import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import type { Services } from '#core/kernel/services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import type { Database } from '#core/runtime/database/session.js';
import { firstIdAt } from '#core/runtime/id.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { deploymentSettings } from '../deployment-settings.js';

/** Deletes the rejected rows of imports that ended before the retention time. The imports and their counts are kept. */
export const importRetention = ({ database, clock, deployment }: Services): RecurringJob[] => [
  {
    name: 'audience.forget-rejected-rows',
    every: '1 hour',
    isFinal: true,
    async run() {
      const now = clock.now();
      const oldest = shift(now, -deployment.settingsOf(deploymentSettings).importRetentionDays * dayMs);
      let after: Buffer = Buffer.alloc(16);
      for (;;) {
        // An import gets its id before it ends. Rows that are kept are not read, except one of each import that ended
        // later.
        const [next] = await database.rows<{ id: Buffer }>(
          `SELECT import_id AS id FROM audience_import_rejection WHERE import_id > ? AND import_id < ?
           ORDER BY import_id LIMIT 1`,
          [after, firstIdAt(oldest)],
        );
        if (!next) return;
        after = next.id;
        await forgetRejected(database, next.id, oldest, now);
      }
    },
  },
];

/**
 * Deletes the rejected rows of one import if it ended before `oldest`. The import records this before the first row is
 * deleted.
 */
async function forgetRejected(database: Database, id: Buffer, oldest: Date, now: Date): Promise<void> {
  const [ended] = await database.rows('SELECT id FROM audience_import WHERE id = ? AND finished_at < ?', [id, oldest]);
  if (!ended) return;
  await database.run('UPDATE audience_import SET rejected_removed_at = COALESCE(rejected_removed_at, ?) WHERE id = ?', [
    now,
    id,
  ]);
  await deleteInBatches(database, 'DELETE FROM audience_import_rejection WHERE import_id = ? ORDER BY row_no', [id]);
}
