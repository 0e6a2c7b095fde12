import type { JobParameters } from 'agenda';
import { databaseClock } from '../../database-clock.js';
import type { Database, Session } from '../../database/session.js';
import type { SqlValue } from '../../database/statement.js';
import { dueTime } from '../due-time.js';
import { lostLockError } from '../lost-lock-error.js';
import { claimOf } from './claim.js';
import type { Filter } from './filter.js';
import { readJob } from './read-job.js';
import { retryOnConflict } from './retry-on-conflict.js';
import { scheduleColumns, storedId } from './row.js';

async function update(
  session: Session,
  where: Filter,
  job: JobParameters,
  by: string | null,
  more: Record<string, SqlValue>,
): Promise<boolean> {
  const columns = {
    ...scheduleColumns(job),
    ...more,
    ...(job.disabled !== undefined && { disabled: job.disabled }),
    last_modified_by: by,
  };
  const settings = Object.keys(columns).map((column) => `${column} = ?`);
  const { affectedRows } = await session.run(`UPDATE svc_job SET ${settings.join(', ')} WHERE ${where.sql}`, [
    ...Object.values(columns),
    ...where.values,
  ]);
  return affectedRows > 0;
}

/**
 * Saves a job that has an id.
 * @returns the stored job; the given job if it has been removed since
 * @throws if the caller had claimed the job and another worker has claimed it since
 */
export async function updateById<DATA>(
  database: Database,
  job: JobParameters<DATA>,
  by: string | null,
): Promise<JobParameters<DATA>> {
  const id = job._id && storedId(job._id);
  if (!id) return job;
  const claim = claimOf(job);
  const row: Filter = { sql: 'id = ? AND name = ?', values: [id, job.name] };
  const where = claim ? { sql: `${row.sql} AND fence = ?`, values: [...row.values, claim.fence] } : row;
  const found = await retryOnConflict(() =>
    update(database, where, job, by, {
      next_run_at: job.nextRunAt,
      is_single: job.type === 'single',
      debounce_started_at: job.debounceStartedAt ?? null,
    }),
  );
  const saved = await readJob<DATA>(database, row);
  if (saved && !found) throw lostLockError(job);
  return saved ?? job;
}

/**
 * Updates the existing job that `where` selects by a unique index.
 * @returns `where`; undefined if the job has been removed since
 */
export function updateExisting(
  database: Database,
  where: Filter,
  job: JobParameters,
  by: string | null,
): Promise<Filter | undefined> {
  return database.transaction(async (session) => {
    const stored = await readJob(session, { ...where, sql: `${where.sql} FOR UPDATE` });
    if (!stored) return undefined;
    const { nextRunAt, debounceStartedAt } = dueTime(job, stored, databaseClock.now());
    await update(session, where, job, by, { next_run_at: nextRunAt, debounce_started_at: debounceStartedAt ?? null });
    return where;
  });
}
