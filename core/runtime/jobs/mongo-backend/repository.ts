import type { JobRepository } from 'agenda';
import type { Db } from 'mongodb';
import type { Jobs } from './documents.js';
import { lockMethods } from './lock.js';
import { saveMethods } from './save.js';

/**
 * The official repository, with those methods replaced that are not safe against a stale worker or a second process.
 */
export function guardedRepository(official: JobRepository, db: Db, collection: string): JobRepository {
  const jobs: Jobs = db.collection(collection);
  return {
    connect: () => official.connect(),
    queryJobs: (options) => official.queryJobs(options),
    getJobsOverview: () => official.getJobsOverview(),
    getDistinctJobNames: () => official.getDistinctJobNames(),
    getJobById: (id) => official.getJobById(id),
    getQueueSize: () => official.getQueueSize(),
    removeJobs: (options) => official.removeJobs(options),
    disableJobs: (options) => official.disableJobs(options),
    enableJobs: (options) => official.enableJobs(options),
    purgeAllJobs: () => official.purgeAllJobs(),
    unlockJobs: (ids) => official.unlockJobs(ids),
    ...saveMethods(db, collection, official),
    ...lockMethods(jobs, official),
  };
}
