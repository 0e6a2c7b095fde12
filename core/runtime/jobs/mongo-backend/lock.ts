import type { JobRepository } from 'agenda';
import { lostLock } from '../lost.js';
import { claimed, claimOf } from './claim.js';
import { documentId, type Jobs } from './documents.js';

/**
 * The methods around a lock, over the official ones: what was claimed is saved and given back only while its lock is
 * the one that was claimed. Locks are written and judged by the nodes' own clocks here, which have to agree far better
 * than a lock's life.
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
      const held = claimOf(job);
      if (!_id || !held?.lockedAt) return;
      // A one-off whose run began has no due time: its lock running out is all that brings it back, so that one stays.
      await jobs.updateOne({ _id, lockedAt: held.lockedAt, nextRunAt: { $ne: null } }, { $set: { lockedAt: null } });
      held.lockedAt = null;
    },

    async saveJobState(job, options) {
      const _id = job._id && documentId(job._id);
      if (!_id) throw new Error(`Job "${job.name}" has no id yet: save it first.`);
      const held = claimOf(job);
      const state = {
        lastRunAt: job.lastRunAt ?? null,
        lastFinishedAt: job.lastFinishedAt ?? null,
        failedAt: job.failedAt ?? null,
        failCount: job.failCount ?? null,
        failReason: job.failReason ?? null,
        progress: job.progress ?? null,
        lastModifiedBy: options?.lastModifiedBy ?? null,
        lockedAt: (held && job.lockedAt) ?? null,
      };
      const holding = { _id, name: job.name, lockedAt: held?.lockedAt ?? null };
      if (held && !held.lockedAt) throw lostLock(job);
      const { nextRunAt } = job;
      const unmoved = held ? { ...holding, nextRunAt: held.nextRunAt } : holding;
      const { matchedCount } = await jobs.updateOne(unmoved, { $set: { ...state, nextRunAt } });
      // Somebody else moved the due time meanwhile: theirs stays.
      const saved = matchedCount === 1 || (await jobs.updateOne(holding, { $set: state })).matchedCount === 1;
      if (!saved) throw lostLock(job);
      if (held) Object.assign(held, { lockedAt: state.lockedAt, nextRunAt });
    },
  };
}
