import type { Services } from '#core/kernel/services.js';
import { StartError } from './start-error.js';
import type { Jobs, JobsBackend, RecurringJob } from '#core/runtime/jobs/scheduler.js';

/**
 * Opens the MongoDB of SVC_JOBS_URL. The start does this first, so that a failure does not leave the database migrated
 * for nothing.
 * @returns undefined if jobs are stored in the database
 * @throws StartError that names SVC_JOBS_URL and how to fix it, if it cannot be used
 */
export async function openJobsUrl(jobsUrl: string | undefined): Promise<JobsBackend | undefined> {
  if (jobsUrl === undefined) return undefined;
  const { mongoJobs } = await import('#core/runtime/jobs/backend.js');
  return mongoJobs(jobsUrl).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    throw new StartError(error.message);
  });
}

/**
 * Starts the recurring jobs. The scheduler is loaded on demand: a process that only answers calls does not need it.
 * @param opened the store of the jobs; undefined for the database
 */
export async function startRecurringJobs(
  { database, clock, log }: Services,
  jobs: readonly RecurringJob[],
  opened: JobsBackend | undefined,
): Promise<Jobs> {
  const { mysqlJobs } = await import('#core/runtime/jobs/backend.js');
  const { startJobs } = await import('#core/runtime/jobs/scheduler.js');
  const backend = opened ?? (await mysqlJobs(database));
  // Jobs run every minute at most, and on time between polls; each poll queries the database once for every job.
  const guarded = jobs.map((job): RecurringJob => {
    const { name } = job;
    if (job.isFinal !== true) return job;
    return { ...job, run: async () => (clock.isTrusted() ? job.run() : log.warn({ job: name }, untrusted)) };
  });
  return startJobs({ backend, jobs: guarded, log, pollMs: 5_000 });
}

const untrusted =
  'A recurring job waits for its next time: the clocks of this machine and of the database differ by more than a minute, or one of them has just jumped. Synchronise both with NTP.';
