import type { JobRepository } from 'agenda';
import type { Database } from '#core/runtime/database/session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { selectedJobs } from './filter.js';
import { retryOnConflict } from './retry-on-conflict.js';

/** Removes, disables and enables the jobs that match the options. Empty options change nothing. */
export function removeAndDisableMethods(
  database: Database,
): Pick<JobRepository, 'removeJobs' | 'disableJobs' | 'enableJobs' | 'purgeAllJobs'> {
  const change = async (sql: string, values: readonly SqlValue[] = []): Promise<number> => {
    const { affectedRows } = await retryOnConflict(() => database.run(sql, values));
    return affectedRows;
  };
  return {
    async removeJobs(options) {
      const where = selectedJobs(options);
      return where ? change(`DELETE FROM svc_job WHERE ${where.sql}`, where.values) : 0;
    },
    async disableJobs(options) {
      const where = selectedJobs(options);
      return where ? change(`UPDATE svc_job SET disabled = 1 WHERE disabled = 0 AND ${where.sql}`, where.values) : 0;
    },
    async enableJobs(options) {
      const where = selectedJobs(options);
      return where ? change(`UPDATE svc_job SET disabled = 0 WHERE disabled = 1 AND ${where.sql}`, where.values) : 0;
    },
    purgeAllJobs: () => change('DELETE FROM svc_job'),
  };
}
