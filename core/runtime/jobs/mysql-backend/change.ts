import type { JobRepository } from 'agenda';
import type { Database } from '#core/runtime/database/session.js';
import { chosenJobs } from './filter.js';
import { patiently } from './retry.js';

/** Removing, pausing and resuming jobs by what is known of them. Options that name nothing change nothing. */
export function changeMethods(
  database: Database,
): Pick<JobRepository, 'removeJobs' | 'disableJobs' | 'enableJobs' | 'purgeAllJobs'> {
  const change = async (sql: string, values: Parameters<Database['run']>[1] = []): Promise<number> => {
    const { affectedRows } = await patiently(() => database.run(sql, values));
    return affectedRows;
  };
  return {
    async removeJobs(options) {
      const where = chosenJobs(options);
      return where ? change(`DELETE FROM svc_job WHERE ${where.sql}`, where.values) : 0;
    },
    async disableJobs(options) {
      const where = chosenJobs(options);
      return where ? change(`UPDATE svc_job SET disabled = 1 WHERE disabled = 0 AND ${where.sql}`, where.values) : 0;
    },
    async enableJobs(options) {
      const where = chosenJobs(options);
      return where ? change(`UPDATE svc_job SET disabled = 0 WHERE disabled = 1 AND ${where.sql}`, where.values) : 0;
    },
    purgeAllJobs: () => change('DELETE FROM svc_job'),
  };
}
