import type { JobParameters, JobRepository, JobRepositoryOptions } from 'agenda';
import { MongoServerError, type Db } from 'mongodb';
import { databaseClock } from '../../database-clock.js';
import { dueTime } from '../due-time.js';
import { lostLockError } from '../lost-lock-error.js';
import { claimOf } from './claim.js';
import { documentId, identityOf, saved, scheduleFields, type JobDocument, type Jobs } from './documents.js';

/** How often a save is repeated after a concurrent one was faster. */
const maxAttempts = 50;

/**
 * saveJob for MongoDB. The official one upserts with `lockedAt: null`, so a process that starts would clear the lock of
 * the process that runs the job. This one does not change the fields of the running worker.
 */
export function saveMethods(db: Db, collection: string, official: JobRepository): Pick<JobRepository, 'saveJob'> {
  return {
    async saveJob<DATA>(job: JobParameters<DATA>, options: JobRepositoryOptions | undefined) {
      const jobs: Jobs = db.collection(collection);
      const by = options?.lastModifiedBy ?? null;
      if (job._id) return saveById(jobs, job, by);
      const _id = identityOf(job);
      if (!_id) return official.saveJob(job, options);
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const stored = await db.collection<JobDocument<DATA>>(collection).findOne({ _id: { $eq: _id } });
        const { insertOnly, debounce } = job.uniqueOpts ?? {};
        if (stored && insertOnly && !debounce && job.type !== 'single') return saved(job, stored);
        const due = dueTime(job, stored ?? undefined, databaseClock.now());
        const now = { _id, data: job.data, ...due };
        const done = stored ? await update(jobs, job, stored, now, by) : await insert(jobs, job, now, by);
        if (done) return saved(job, now);
      }
      throw new Error(`Job "${job.name}" could not be saved: other processes kept changing it.`);
    },
  };
}

type Due = Pick<JobDocument, '_id' | 'nextRunAt' | 'debounceStartedAt'>;

/** @returns false if another save or a run has changed the due time since it was read */
async function update(
  jobs: Jobs,
  job: JobParameters,
  stored: JobDocument,
  due: Due,
  by: string | null,
): Promise<boolean> {
  const { _id, nextRunAt, debounceStartedAt = null } = due;
  const { matchedCount } = await jobs.updateOne(
    { _id, nextRunAt: stored.nextRunAt, debounceStartedAt: stored.debounceStartedAt ?? null },
    { $set: { ...scheduleFields(job, by), nextRunAt, debounceStartedAt } },
  );
  return matchedCount === 1;
}

/** @returns false when another save inserted it first */
async function insert(jobs: Jobs, job: JobParameters, due: Due, by: string | null): Promise<boolean> {
  const { _id, nextRunAt, debounceStartedAt = null } = due;
  try {
    await jobs.insertOne({
      ...scheduleFields(job, by),
      _id,
      name: job.name,
      nextRunAt,
      debounceStartedAt,
      lockedAt: null,
    });
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === 11000) return false;
    throw error;
  }
}

/** @returns the given job, if it has been removed since */
async function saveById<DATA>(jobs: Jobs, job: JobParameters<DATA>, by: string | null): Promise<JobParameters<DATA>> {
  const _id = job._id && documentId(job._id);
  if (!_id) return job;
  const lockedAt = claimOf(job)?.lockedAt;
  const { matchedCount } = await jobs.updateOne(
    { _id, name: job.name, ...(lockedAt && { lockedAt }) },
    {
      $set: { ...scheduleFields(job, by), nextRunAt: job.nextRunAt, debounceStartedAt: job.debounceStartedAt ?? null },
    },
  );
  if (matchedCount === 0 && (await jobs.countDocuments({ _id, name: job.name })) === 1) throw lostLockError(job);
  return job;
}
