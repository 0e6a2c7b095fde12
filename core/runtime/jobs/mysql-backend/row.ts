import { toJobId, type JobId, type JobParameters } from 'agenda';
import type { SqlValue } from '../../database/statement.js';
import { isId } from '../../id-form.js';
import { idBytes, idText } from '../../id.js';

/** The columns of svc_job that are read. */
export interface JobRow<DATA = unknown> {
  id: Buffer;
  name: Buffer;
  is_single: number;
  priority: number;
  disabled: number;
  next_run_at: Date | null;
  locked_at: Date | null;
  fence: number;
  data: DATA;
  repeat_interval: string | null;
  repeat_timezone: string | null;
  repeat_at: string | null;
  skip_days: string | null;
  start_date: Date | null;
  end_date: Date | null;
  debounce_started_at: Date | null;
  fork: number;
  last_run_at: Date | null;
  last_finished_at: Date | null;
  failed_at: Date | null;
  fail_count: number | null;
  fail_reason: string | null;
  progress: number | null;
  last_modified_by: string | null;
}

/** A job that has been saved. */
export type SavedJob<DATA = unknown> = JobParameters<DATA> & { _id: JobId };

/** The stored form of a job's id; undefined if it is not a UUID. */
export const storedId = (id: string): Buffer | undefined => (isId(id) ? idBytes(id) : undefined);

/** Converts a row to Agenda's job. */
export function toJob<DATA>(row: JobRow<DATA>): SavedJob<DATA> {
  return {
    _id: toJobId(idText(row.id)),
    name: row.name.toString('utf8'),
    type: row.is_single === 1 ? 'single' : 'normal',
    priority: row.priority,
    nextRunAt: row.next_run_at,
    data: row.data,
    disabled: row.disabled === 1,
    fork: row.fork === 1,
    ...(row.locked_at && { lockedAt: row.locked_at }),
    ...(row.last_run_at && { lastRunAt: row.last_run_at }),
    ...(row.last_finished_at && { lastFinishedAt: row.last_finished_at }),
    ...(row.failed_at && { failedAt: row.failed_at }),
    ...(row.fail_count !== null && { failCount: row.fail_count }),
    ...(row.fail_reason !== null && { failReason: row.fail_reason }),
    ...(row.progress !== null && { progress: row.progress }),
    ...(row.repeat_interval !== null && { repeatInterval: interval(row.repeat_interval) }),
    ...(row.repeat_timezone !== null && { repeatTimezone: row.repeat_timezone }),
    ...(row.repeat_at !== null && { repeatAt: row.repeat_at }),
    ...(row.skip_days !== null && { skipDays: row.skip_days.split(',').map(Number) }),
    ...(row.start_date && { startDate: row.start_date }),
    ...(row.end_date && { endDate: row.end_date }),
    ...(row.debounce_started_at && { debounceStartedAt: row.debounce_started_at }),
    ...(row.last_modified_by !== null && { lastModifiedBy: row.last_modified_by }),
  };
}

/** One column stores both numbers and texts: Agenda reads a text of digits as milliseconds too. */
const interval = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

/**
 * The columns that a save may change in an existing job. The others belong to the worker that runs it, or have their
 * own rules.
 */
export function scheduleColumns(job: JobParameters): Record<string, SqlValue> {
  return {
    priority: job.priority,
    data: job.data === undefined || job.data === null ? null : JSON.stringify(job.data),
    repeat_interval: job.repeatInterval ? String(job.repeatInterval) : null,
    repeat_timezone: job.repeatTimezone ?? null,
    repeat_at: job.repeatAt ?? null,
    skip_days: job.skipDays && job.skipDays.length > 0 ? job.skipDays.join(',') : null,
    start_date: job.startDate ?? null,
    end_date: job.endDate ?? null,
    fork: job.fork === true,
  };
}
