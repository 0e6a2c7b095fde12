import type { JobParameters, JobRepository, JobRepositoryOptions } from 'agenda';
import { databaseClock } from '../../database-clock.js';
import type { Database } from '../../database/session.js';
import { isDuplicate } from '../../database/errors.js';
import { insertInto } from '../../database/statement.js';
import { idBytes, newId } from '../../id.js';
import { dueTime } from '../due-time.js';
import { uniqueKey } from '../unique-key.js';
import type { Filter } from './filter.js';
import { readJob } from './read-job.js';
import { retryOnConflict } from './retry-on-conflict.js';
import { scheduleColumns } from './row.js';
import { updateById, updateExisting } from './update.js';

/** How often a save is repeated after the job was removed between two statements. */
const maxAttempts = 5;

/**
 * Saves a job: by its id, as the only `single` job of its name, as the only job with its `unique` constraint, or as a
 * new one. The lock, run times, failures and progress of an existing job are never changed, so a process that starts
 * does not disturb the one that runs the job. A save without `disabled` does not enable a disabled job.
 */
export function saveMethods(database: Database): Pick<JobRepository, 'saveJob'> {
  return {
    async saveJob<DATA>(job: JobParameters<DATA>, options: JobRepositoryOptions | undefined) {
      const by = options?.lastModifiedBy ?? null;
      if (job._id) return updateById(database, job, by);
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const where = (await insert(database, job, by)) ?? (await findOrUpdate(database, job, by));
        const saved = where && (await readJob<DATA>(database, where));
        if (saved) return saved;
      }
      throw new Error(`Job "${job.name}" could not be saved: other processes kept removing it.`);
    },
  };
}

/** The stored form of a `unique` constraint. A `single` job is unique by its name. */
const keyOf = ({ type, unique }: JobParameters): Buffer | null =>
  type !== 'single' && unique ? uniqueKey(unique) : null;

/**
 * Inserts first and relies on the unique index: a locking read of an absent row makes concurrent inserts deadlock.
 * @returns undefined if the job already exists
 */
async function insert(database: Database, job: JobParameters, by: string | null): Promise<Filter | undefined> {
  const { nextRunAt, debounceStartedAt } = dueTime(job, undefined, databaseClock.now());
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
    await retryOnConflict(() => database.run(sql, parameters));
    return { sql: 'id = ?', values: [id] };
  } catch (error) {
    if (isDuplicate(error)) return undefined;
    throw error;
  }
}

/** Finds the job that exists already, and updates it unless it is `insertOnly`. */
async function findOrUpdate(database: Database, job: JobParameters, by: string | null): Promise<Filter | undefined> {
  const where: Filter =
    job.type === 'single'
      ? { sql: 'single_name = ?', values: [job.name] }
      : { sql: 'name = ? AND unique_key = ?', values: [job.name, keyOf(job)] };
  const { insertOnly, debounce } = job.uniqueOpts ?? {};
  return insertOnly && !debounce ? where : updateExisting(database, where, job, by);
}
