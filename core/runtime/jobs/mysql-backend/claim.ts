import type { JobParameters } from 'agenda';
import type { SavedJob } from './row.js';

/**
 * A worker's claim on a job. Agenda copies this object to later saves together with the job's other fields, so a save
 * sees the values that the previous one wrote into it.
 */
export interface Claim {
  /** How often the row was claimed, including this claim. */
  readonly fence: number;
  /** The due time as this worker last knew it. The worker changes it only if nobody else has changed it since. */
  nextRunAt: Date | null;
}

export type ClaimedJob = SavedJob & { claim: Claim };

function isClaim(value: unknown): value is Claim {
  return (
    typeof value === 'object' &&
    value !== null &&
    'fence' in value &&
    typeof value.fence === 'number' &&
    'nextRunAt' in value
  );
}

/** The job's claim, if it has one. */
export function claimOf<DATA>(job: JobParameters<DATA>): Claim | undefined {
  return 'claim' in job && isClaim(job.claim) ? job.claim : undefined;
}
