import type { JobParameters } from 'agenda';
import type { Database, Session, SqlValue } from '#core/runtime/database/session.js';
import { dueTime } from '../due.js';
import { lostLock } from '../lost.js';
import { claimOf } from './claim.js';
import { readJob, type Place } from './place.js';
import { patiently } from './retry.js';
import { scheduleColumns, storedId } from './row.js';

async function update(
  session: Session,
  place: Place,
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
  const { affectedRows } = await session.run(`UPDATE svc_job SET ${settings.join(', ')} WHERE ${place.sql}`, [
    ...Object.values(columns),
    ...place.values,
  ]);
  return affectedRows > 0;
}

/**
 * Saves a job that has an id. One that was removed meanwhile comes back as it was given.
 * @throws when the job was claimed by the one who saves it, and by another since
 */
export async function updateById<DATA>(
  database: Database,
  job: JobParameters<DATA>,
  by: string | null,
): Promise<JobParameters<DATA>> {
  const id = job._id && storedId(job._id);
  if (!id) return job;
  const held = claimOf(job);
  const row: Place = { sql: 'id = ? AND name = ?', values: [id, job.name] };
  const place = held ? { sql: `${row.sql} AND fence = ?`, values: [...row.values, held.fence] } : row;
  const found = await patiently(() =>
    update(database, place, job, by, {
      next_run_at: job.nextRunAt,
      is_single: job.type === 'single',
      debounce_started_at: job.debounceStartedAt ?? null,
    }),
  );
  const saved = await readJob<DATA>(database, row);
  if (saved && !found) throw lostLock(job);
  return saved ?? job;
}

/**
 * Saves over the job that a unique index found at `place`.
 * @returns undefined when it was removed meanwhile
 */
export function updateExisting(
  database: Database,
  place: Place,
  job: JobParameters,
  by: string | null,
): Promise<Place | undefined> {
  return database.transaction(async (session) => {
    const stored = await readJob(session, { ...place, sql: `${place.sql} FOR UPDATE` });
    if (!stored) return undefined;
    const { nextRunAt, debounceStartedAt } = dueTime(job, stored, new Date());
    await update(session, place, job, by, { next_run_at: nextRunAt, debounce_started_at: debounceStartedAt ?? null });
    return place;
  });
}
