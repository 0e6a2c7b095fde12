import type { JobParameters } from 'agenda';
import type { SavedJob } from './row.js';

/**
 * What a worker holds of the job it claimed. Agenda copies a job's fields one by one from here to its saves, and with
 * them this one object, so what one save writes into it the next one reads.
 */
export interface Claim {
  /** The row's count of claims, this one included. */
  readonly fence: number;
  /** The due time as this worker last knew it: it moves the due time only where nobody else has moved it since. */
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

/** The claim that a job carries, where it came from one. */
export function claimOf<DATA>(job: JobParameters<DATA>): Claim | undefined {
  return 'claim' in job && isClaim(job.claim) ? job.claim : undefined;
}
