import type { AgendaBackend } from 'agenda';
import type { Database } from '#core/runtime/database/session.js';
import { removeAndDisableMethods } from './remove-disable.js';
import { lockMethods } from './lock.js';
import { queryMethods } from './query.js';
import { saveMethods } from './save.js';
import { stateMethods } from './save-state.js';

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
