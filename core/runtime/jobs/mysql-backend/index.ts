import type { AgendaBackend } from 'agenda';
import type { Database } from '#core/runtime/database/session.js';
import { changeMethods } from './change.js';
import { lockMethods } from './lock.js';
import { queryMethods } from './query.js';
import { saveMethods } from './save.js';
import { stateMethods } from './state.js';

/**
 * Agenda's jobs in the table svc_job of `database`, which stays its owner's to close. There is no notification channel:
 * MySQL has nothing to carry one, so Agenda polls.
 */
export function mysqlBackend(database: Database): AgendaBackend {
  /** @throws when the table is not there: the migrations run before the jobs */
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
      ...changeMethods(database),
      ...saveMethods(database),
      ...stateMethods(database),
      ...lockMethods(database),
    },
  };
}
