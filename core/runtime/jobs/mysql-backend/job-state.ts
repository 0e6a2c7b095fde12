import type { JobState } from 'agenda';

/**
 * Agenda's `computeJobState` as SQL, so that the database can filter and count by state. Both placeholders take the
 * present time.
 */
export const stateSql = `CASE
  WHEN locked_at IS NOT NULL THEN 'running'
  WHEN failed_at IS NOT NULL AND (last_finished_at IS NULL OR failed_at >= last_finished_at) THEN 'failed'
  WHEN repeat_interval IS NOT NULL THEN 'repeating'
  WHEN next_run_at > ? THEN 'scheduled'
  WHEN next_run_at <= ? THEN 'queued'
  ELSE 'completed' END`;

/** The values of `stateSql`. `paused` is not among them: a job in any state may be disabled. */
export type StoredState = Exclude<JobState, 'paused'>;
