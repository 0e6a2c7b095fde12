import type { Services } from '#core/kernel/services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/**
 * Starts the recurring jobs where SVC_JOBS_URL says. What runs them is loaded here, since a process that only answers calls does without.
 * @throws Error that names SVC_JOBS_URL and the mend
 */
export async function startTicking(
  { database, deployment, log }: Services,
  jobs: readonly RecurringJob[],
): Promise<{ stop(): Promise<void> }> {
  const { openJobsBackend } = await import('#core/runtime/jobs/backend.js');
  const { startJobs } = await import('#core/runtime/jobs/scheduler.js');
  const backend = await openJobsBackend({ jobsUrl: deployment.settings.jobsUrl, database });
  return startJobs({ backend, jobs, log });
}
