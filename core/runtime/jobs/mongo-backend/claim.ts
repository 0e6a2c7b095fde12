import type { JobParameters } from 'agenda';

/**
 * A worker's claim on a job. Agenda copies it from the claim to later saves together with the job's other fields.
 */
export interface Claim {
  /**
   * The lock as this worker wrote it; null once released. A lock is taken over only after it has expired, so two
   * successive workers never wrote the same time.
   */
  lockedAt: Date | null;
  /** The due time as this worker last knew it. The worker changes it only if nobody else has changed it since. */
  nextRunAt: Date | null;
}

function isClaim(value: unknown): value is Claim {
  return typeof value === 'object' && value !== null && 'lockedAt' in value && 'nextRunAt' in value;
}

/** The job's claim, if it has one. */
export function claimOf<DATA>(job: JobParameters<DATA>): Claim | undefined {
  return 'claim' in job && isClaim(job.claim) ? job.claim : undefined;
}

/** Adds the claim to a job that was just locked. */
export function claimed(job: JobParameters | undefined): (JobParameters & { claim: Claim }) | undefined {
  return job && { ...job, claim: { lockedAt: job.lockedAt ?? null, nextRunAt: job.nextRunAt } };
}
