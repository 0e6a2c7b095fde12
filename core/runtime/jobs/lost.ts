import type { JobParameters } from 'agenda';

/** The lock was lost: it expired and another worker took the job over, or the job was removed. */
export function lostLock<DATA>(job: JobParameters<DATA>): Error {
  return new Error(
    `Job "${job.name}" (${String(job._id)}) is no longer this worker's to save: its lock was lost, or it was removed.`,
  );
}
