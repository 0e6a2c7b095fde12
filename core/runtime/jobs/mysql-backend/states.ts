import type { JobState } from 'agenda';

/**
 * Agenda's `computeJobState` in SQL, in its order, so that a state can be filtered and counted where the rows are.
 * Its two placeholders are both the present moment.
 */
export const stateOfRow = `CASE
  WHEN locked_at IS NOT NULL THEN 'running'
  WHEN failed_at IS NOT NULL AND (last_finished_at IS NULL OR failed_at >= last_finished_at) THEN 'failed'
  WHEN repeat_interval IS NOT NULL THEN 'repeating'
  WHEN next_run_at > ? THEN 'scheduled'
  WHEN next_run_at <= ? THEN 'queued'
  ELSE 'completed' END`;

/** What `stateOfRow` answers. `paused` is no state of its own: any job may be disabled. */
export type RowState = Exclude<JobState, 'paused'>;
