import type { JobParameters } from 'agenda';

/** The worker no longer holds the job's lock: it expired and another worker claimed the job, or the job was removed. */
export function lostLockError<DATA>(job: JobParameters<DATA>): Error {
  return new Error(
    `Job "${job.name}" (${String(job._id)}) cannot be saved by this worker: its lock was lost, or the job was removed.`,
  );
}
