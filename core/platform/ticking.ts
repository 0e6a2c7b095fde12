import type { Services } from '#core/kernel/services.js';
import { openJobsBackend } from '#core/runtime/jobs/backend.js';
import { startJobs, type RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** Starts the recurring jobs where SVC_JOBS_URL says. @throws Error that names SVC_JOBS_URL and the mend */
export async function startTicking(
  { database, deployment, log }: Services,
  jobs: readonly RecurringJob[],
): Promise<{ stop(): Promise<void> }> {
  const backend = await openJobsBackend({ jobsUrl: deployment.settings.jobsUrl, database });
  return startJobs({ backend, jobs, log });
}
