import type { JobParameters } from 'agenda';

/**
 * What a worker holds of the job it claimed; Agenda hands it from the claim to the saves with the job's other fields.
 */
export interface Claim {
  /**
   * The lock as this worker wrote it; null once given back. A lock is taken over only when it is older than a lock's
   * life, so no two holders one after the other wrote the same moment.
   */
  lockedAt: Date | null;
  /** The due time as this worker last knew it: it moves the due time only where nobody else has moved it since. */
  nextRunAt: Date | null;
}

function isClaim(value: unknown): value is Claim {
  return typeof value === 'object' && value !== null && 'lockedAt' in value && 'nextRunAt' in value;
}

/** The claim that a job carries, where it came from one. */
export function claimOf<DATA>(job: JobParameters<DATA>): Claim | undefined {
  return 'claim' in job && isClaim(job.claim) ? job.claim : undefined;
}

/** A job just locked, with the claim on it. */
export function claimed(job: JobParameters | undefined): (JobParameters & { claim: Claim }) | undefined {
  return job && { ...job, claim: { lockedAt: job.lockedAt ?? null, nextRunAt: job.nextRunAt } };
}
