import type { Services } from '#core/kernel/services.js';
import { StartError } from './start-error.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/**
 * Starts the recurring jobs, stored in the database or where SVC_JOBS_URL says. The scheduler is loaded on demand: a process that only
 * answers calls does not need it.
 * @throws StartError that names SVC_JOBS_URL and how to fix it, where it is set and cannot be used
 */
export async function startRecurringJobs(
  { database, deployment, log }: Services,
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
  return startJobs({ backend, jobs, log, pollMs: 5_000 });
}
