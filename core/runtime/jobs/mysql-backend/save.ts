import type { JobParameters, JobRepository, JobRepositoryOptions } from 'agenda';
import type { Database } from '#core/runtime/database/session.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { dueTime } from '../due.js';
import { uniqueKey } from '../unique.js';
import { readJob, type Place } from './place.js';
import { patiently } from './retry.js';
import { scheduleColumns } from './row.js';
import { updateById, updateExisting } from './update.js';

/** How often "there is one - no, it was just removed" is believed. */
const tries = 5;

/**
 * Saves a job: by its id; as the one `single` job of its name; as the one job of its `unique` constraint; or as a new
 * one. An existing job's lock, run times, failures and progress are never touched: a process that starts and repeats
 * every() does not disturb the one that runs the job. Nor does a save that says nothing of `disabled` end a pause.
 */
export function saveMethods(database: Database): Pick<JobRepository, 'saveJob'> {
  return {
    async saveJob<DATA>(job: JobParameters<DATA>, options: JobRepositoryOptions | undefined) {
      const by = options?.lastModifiedBy ?? null;
      if (job._id) return updateById(database, job, by);
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const place = (await insert(database, job, by)) ?? (await meet(database, job, by));
        const saved = place && (await readJob<DATA>(database, place));
        if (saved) return saved;
      }
      throw new Error(`Job "${job.name}" could not be saved: it was removed again and again meanwhile.`);
    },
  };
}

/** The constraint that a job is unique by; that of a `single` job is its name alone. */
const keyOf = ({ type, unique }: JobParameters): Buffer | null =>
  type !== 'single' && unique ? uniqueKey(unique) : null;

/**
 * Inserts first and lets the unique index say no: a locking read of a row that is not there deadlocks its racers.
 * @returns undefined when the job is there already
 */
async function insert(database: Database, job: JobParameters, by: string | null): Promise<Place | undefined> {
  const { nextRunAt, debounceStartedAt } = dueTime(job, undefined, new Date());
  const id = idBytes(newId());
  const { sql, parameters } = insertInto('svc_job', [
    {
      ...scheduleColumns(job),
      id,
      name: job.name,
      is_single: job.type === 'single',
      unique_key: keyOf(job),
      next_run_at: nextRunAt,
      debounce_started_at: debounceStartedAt ?? null,
      disabled: job.disabled === true,
      fence: 0,
      last_modified_by: by,
    },
  ]);
  try {
    await patiently(() => database.run(sql, parameters));
    return { sql: 'id = ?', values: [id] };
  } catch (error) {
    if (isDuplicate(error)) return undefined;
    throw error;
  }
}

/** Meets the job that was there first. */
async function meet(database: Database, job: JobParameters, by: string | null): Promise<Place | undefined> {
  const place: Place =
    job.type === 'single'
      ? { sql: 'single_name = ?', values: [job.name] }
      : { sql: 'name = ? AND unique_key = ?', values: [job.name, keyOf(job)] };
  const { insertOnly, debounce } = job.uniqueOpts ?? {};
  return insertOnly && !debounce ? place : updateExisting(database, place, job, by);
}
