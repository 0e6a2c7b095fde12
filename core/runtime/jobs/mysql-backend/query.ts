import type { JobRepository, JobsOverview, JobsSort } from 'agenda';
import { databaseClock } from '../../database-clock.js';
import type { Database } from '../../database/session.js';
import { queriedJobs } from './filter.js';
import { storedId, toJob, type JobRow } from './row.js';
import { stateSql, type StoredState } from './job-state.js';

/** The sortable fields, in their order of precedence, which the caller's order does not change. */
const sortColumns = [
  ['nextRunAt', 'next_run_at'],
  ['lastRunAt', 'last_run_at'],
  ['lastFinishedAt', 'last_finished_at'],
  ['priority', 'priority'],
  ['name', 'name'],
  ['data', 'data'],
] as const;

/** Ends with the id, so that no job appears on two pages. */
function orderBy(sort: JobsSort | undefined): string {
  const requested = sortColumns.flatMap(([field, column]) => {
    const direction = sort?.[field];
    return direction === undefined ? [] : [`${column} ${direction === 'asc' ? 'ASC' : 'DESC'}`];
  });
  return [...(requested.length > 0 ? requested : ['next_run_at DESC', 'last_run_at DESC']), 'id'].join(', ');
}

/** MySQL supports OFFSET only with LIMIT; this number means no limit. */
const noLimit = 18446744073709551615n;

/** COUNT is a BIGINT, which the driver may return as text. */
type Count = number | string;

const wholeNumber = (value: number): number => Math.max(0, Math.trunc(value));

const noJobs = (name: string): JobsOverview => ({
  name,
  total: 0,
  running: 0,
  scheduled: 0,
  queued: 0,
  completed: 0,
  failed: 0,
  repeating: 0,
  paused: 0,
});

/** The repository's methods for reading. */
export function queryMethods(
  database: Database,
): Pick<JobRepository, 'queryJobs' | 'getJobsOverview' | 'getDistinctJobNames' | 'getJobById' | 'getQueueSize'> {
  return {
    async queryJobs(options = {}) {
      const now = databaseClock.now();
      const where = queriedJobs(options, now);
      const [{ total } = { total: 0 }] = await database.rows<{ total: Count }>(
        `SELECT COUNT(*) AS total FROM svc_job WHERE ${where.sql}`,
        where.values,
      );
      const limit = wholeNumber(options.limit ?? 0);
      const rows = await database.rows<JobRow & { state: StoredState }>(
        `SELECT svc_job.*, ${stateSql} AS state FROM svc_job
          WHERE ${where.sql} ORDER BY ${orderBy(options.sort)} LIMIT ? OFFSET ?`,
        [now, now, ...where.values, limit > 0 ? limit : noLimit, wholeNumber(options.skip ?? 0)],
      );
      return { jobs: rows.map((row) => ({ ...toJob(row), state: row.state })), total: Number(total) };
    },

    async getJobsOverview() {
      const now = databaseClock.now();
      const counts = await database.rows<{ name: Buffer; state: StoredState; disabled: number; jobs: Count }>(
        `SELECT name, ${stateSql} AS state, disabled, COUNT(*) AS jobs FROM svc_job
          GROUP BY name, state, disabled ORDER BY name`,
        [now, now],
      );
      const overviews = new Map<string, JobsOverview>();
      for (const { name: stored, state, disabled, jobs: counted } of counts) {
        const jobs = Number(counted);
        const name = stored.toString('utf8');
        const overview = overviews.get(name) ?? noJobs(name);
        overview.total += jobs;
        overview[state] += jobs;
        if (disabled === 1) overview.paused += jobs;
        overviews.set(name, overview);
      }
      return [...overviews.values()];
    },

    async getDistinctJobNames() {
      const rows = await database.rows<{ name: Buffer }>('SELECT DISTINCT name FROM svc_job ORDER BY name');
      return rows.map(({ name }) => name.toString('utf8'));
    },

    async getJobById(text) {
      const id = storedId(text);
      if (!id) return null;
      const [row] = await database.rows<JobRow>('SELECT * FROM svc_job WHERE id = ?', [id]);
      return row ? toJob(row) : null;
    },

    async getQueueSize() {
      const [row] = await database.rows<{ due: Count }>('SELECT COUNT(*) AS due FROM svc_job WHERE next_run_at < ?', [
        databaseClock.now(),
      ]);
      return Number(row?.due ?? 0);
    },
  };
}
