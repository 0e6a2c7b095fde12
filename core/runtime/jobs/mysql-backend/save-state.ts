import type { JobRepository } from 'agenda';
import type { Database } from '../../database/session.js';
import { lostLockError } from '../lost-lock-error.js';
import { claimOf } from './claim.js';
import { storedId } from './row.js';
import { retryOnConflict } from './retry-on-conflict.js';

/**
 * Saves the state of a run. A claimed job is saved only while its claim is valid: with `lockedAt` its lock is renewed,
 * by the database's clock; without it the lock is released. An unclaimed job is saved only while nobody has locked it,
 * and its lock is not changed.
 */
export function stateMethods(database: Database): Pick<JobRepository, 'saveJobState'> {
  return {
    async saveJobState(job, options) {
      const id = job._id && storedId(job._id);
      if (!id) throw new Error(`Job "${job.name}" has no id yet: save it first.`);
      const claim = claimOf(job);
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
      const { affectedRows } = await retryOnConflict(() =>
        claim
          ? database.run(
              `${sql}, next_run_at = IF(next_run_at <=> ?, ?, next_run_at), ${lock}
                WHERE id = ? AND name = ? AND fence = ? AND locked_at IS NOT NULL`,
              [...values, claim.nextRunAt, job.nextRunAt, id, job.name, claim.fence],
            )
          : database.run(`${sql}, next_run_at = ? WHERE id = ? AND name = ? AND locked_at IS NULL`, [
              ...values,
              job.nextRunAt,
              id,
              job.name,
            ]),
      );
      if (affectedRows === 0) throw lostLockError(job);
      if (claim) claim.nextRunAt = job.nextRunAt;
    },
  };
}
