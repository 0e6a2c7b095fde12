import type { AgendaBackend, JobRepository } from 'agenda';
import type { Database } from '../../database/session.js';
import { lockMethods } from './lock.js';
import { queryMethods } from './query.js';
import { saveMethods } from './save.js';
import { stateMethods } from './save-state.js';
import type { SqlValue } from '../../database/statement.js';
import { selectedJobs } from './filter.js';
import { retryOnConflict } from './retry-on-conflict.js';

/** Removes, disables and enables the jobs that match the options. Empty options change nothing. */
function removeAndDisableMethods(
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

/**
 * Stores Agenda's jobs in the table svc_job of `database`, which the caller closes. There is no notification channel,
 * because MySQL has no notifications: Agenda polls.
 */
export function mysqlBackend(database: Database): AgendaBackend {
  /** @throws if the table does not exist: migrations run before the jobs start */
  const connect = async (): Promise<void> => {
    await database.rows('SELECT 1 FROM svc_job LIMIT 1');
  };
  return {
    name: 'MySQL',
    ownsConnection: false,
    connect,
    disconnect: async () => undefined,
    repository: {
      connect,
      ...queryMethods(database),
      ...removeAndDisableMethods(database),
      ...saveMethods(database),
      ...stateMethods(database),
      ...lockMethods(database),
    },
  };
}
