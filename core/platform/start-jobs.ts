import type { Services } from '#core/kernel/services.js';
import { StartError } from './start-error.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/**
 * Starts the recurring jobs, stored in the database or where SVC_JOBS_URL says. The scheduler is loaded on demand: a process that only
 * answers calls does not need it.
 * @throws StartError that names SVC_JOBS_URL and how to fix it, where it is set and cannot be used
 */
export async function startRecurringJobs(
  { database, deployment, clock, log }: Services,
  jobs: readonly RecurringJob[],
): Promise<{ stop(): Promise<void> }> {
  const { openJobsBackend } = await import('#core/runtime/jobs/backend.js');
  const { startJobs } = await import('#core/runtime/jobs/scheduler.js');
  const { jobsUrl } = deployment.settings;
  const backend = await openJobsBackend({ jobsUrl, database }).catch((error: unknown) => {
    if (jobsUrl === undefined || !(error instanceof Error)) throw error;
    throw new StartError(error.message);
  });
  // Jobs run every minute at most, and on time between polls; each poll asks the database once for every job.
  const guarded = jobs.map((job): RecurringJob => {
    const { name } = job;
    if (job.isFinal !== true) return job;
    return { ...job, run: async () => (clock.isTrusted() ? job.run() : log.warn({ job: name }, untrusted)) };
  });
  return startJobs({ backend, jobs: guarded, log, pollMs: 5_000 });
}

const untrusted =
  'A recurring job waits for its next time: the clocks of this machine and of the database differ by more than a minute, or one of them has just jumped. Synchronise both with NTP.';
