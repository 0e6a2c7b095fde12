import type { JobRepository } from 'agenda';
import type { Database } from '#core/runtime/database/session.js';
import { lostLock } from '../lost.js';
import { claimOf } from './claim.js';
import { storedId } from './row.js';
import { patiently } from './retry.js';

/**
 * Saves what became of a run. A job that was claimed is saved only while its claim stands: with `lockedAt` the lock is
 * renewed by the database's clock, without it is given back. A job that was never claimed is saved only while nobody
 * holds it, and its lock is not touched.
 */
export function stateMethods(database: Database): Pick<JobRepository, 'saveJobState'> {
  return {
    async saveJobState(job, options) {
      const id = job._id && storedId(job._id);
      if (!id) throw new Error(`Job "${job.name}" has no id yet: save it first.`);
      const held = claimOf(job);
      const values = [
        job.lastRunAt ?? null,
        job.lastFinishedAt ?? null,
        job.failedAt ?? null,
        job.failCount ?? null,
        job.failReason ?? null,
        job.progress ?? null,
        options?.lastModifiedBy ?? null,
      ];
      const lock = job.lockedAt ? 'locked_at = NOW(3)' : 'locked_at = NULL, locked_by = NULL';
      const sql = `UPDATE svc_job SET last_run_at = ?, last_finished_at = ?, failed_at = ?, fail_count = ?,
        fail_reason = ?, progress = ?, last_modified_by = ?`;
      const { affectedRows } = await patiently(() =>
        held
          ? database.run(
              `${sql}, next_run_at = IF(next_run_at <=> ?, ?, next_run_at), ${lock}
                WHERE id = ? AND name = ? AND fence = ? AND locked_at IS NOT NULL`,
              [...values, held.nextRunAt, job.nextRunAt, id, job.name, held.fence],
            )
          : database.run(`${sql}, next_run_at = ? WHERE id = ? AND name = ? AND locked_at IS NULL`, [
              ...values,
              job.nextRunAt,
              id,
              job.name,
            ]),
      );
      if (affectedRows === 0) throw lostLock(job);
      if (held) held.nextRunAt = job.nextRunAt;
    },
  };
}
