import type { JobRepository } from 'agenda';
import { lostLockError } from '../lost-lock-error.js';
import { claimed, claimOf } from './claim.js';
import { documentId, type Jobs } from './documents.js';

/**
 * The methods that use locks, based on the official ones: a claimed job is saved and released only while it still has
 * the lock of that claim. With MongoDB, locks are written and compared by the nodes' own clocks, whose difference must
 * be much smaller than the lifetime of a lock.
 */
export function lockMethods(
  jobs: Jobs,
  official: JobRepository,
): Pick<JobRepository, 'getNextJobToRun' | 'lockJob' | 'unlockJob' | 'saveJobState'> {
  return {
    getNextJobToRun: async (...request) => claimed(await official.getNextJobToRun(...request)),
    lockJob: async (...request) => claimed(await official.lockJob(...request)),

    async unlockJob(job) {
      const _id = job._id && documentId(job._id);
      const claim = claimOf(job);
      if (!_id || !claim?.lockedAt) return;
      // A one-off job that is running has no due time. Only an expired lock makes it run again, so its lock is kept.
      await jobs.updateOne({ _id, lockedAt: claim.lockedAt, nextRunAt: { $ne: null } }, { $set: { lockedAt: null } });
      claim.lockedAt = null;
    },

    async saveJobState(job, options) {
      const _id = job._id && documentId(job._id);
      if (!_id) throw new Error(`Job "${job.name}" has no id yet: save it first.`);
      const claim = claimOf(job);
      const state = {
        lastRunAt: job.lastRunAt ?? null,
        lastFinishedAt: job.lastFinishedAt ?? null,
        failedAt: job.failedAt ?? null,
        failCount: job.failCount ?? null,
        failReason: job.failReason ?? null,
        progress: job.progress ?? null,
        lastModifiedBy: options?.lastModifiedBy ?? null,
        lockedAt: (claim && job.lockedAt) ?? null,
      };
      const locked = { _id, name: job.name, lockedAt: claim?.lockedAt ?? null };
      if (claim && !claim.lockedAt) throw lostLockError(job);
      const { nextRunAt } = job;
      const unchanged = claim ? { ...locked, nextRunAt: claim.nextRunAt } : locked;
      const { matchedCount } = await jobs.updateOne(unchanged, { $set: { ...state, nextRunAt } });
      // If somebody else has changed the due time since, theirs is kept.
      const saved = matchedCount === 1 || (await jobs.updateOne(locked, { $set: state })).matchedCount === 1;
      if (!saved) throw lostLockError(job);
      if (claim) Object.assign(claim, { lockedAt: state.lockedAt, nextRunAt });
    },
  };
}
