import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import type { Services } from '#core/kernel/services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** How many days sessions stay listed after they ended or expired (docs/sign-in.md). */
const sessionDays = 90;

/**
 * Tables of rows that are useless a day after they expired. Until then, a late call learns that the code was used or
 * has expired.
 */
const expiring = ['auth_challenge', 'auth_handoff', 'auth_oauth_state', 'auth_device'];

/** The hourly jobs that delete sessions, started proofs and handoff codes that are past their retention. */
export const retentionJobs = ({ database, clock }: Services): RecurringJob[] => {
  const forget = (table: string, column: string, days: number): Promise<void> =>
    deleteInBatches(database, `DELETE FROM ${table} WHERE ${column} < ? ORDER BY ${column}`, [
      shift(clock.now(), -days * dayMs),
    ]);
  return [
    {
      name: 'auth.forget-expired',
      every: '1 hour',
      isFinal: true,
      async run() {
        for (const table of expiring) await forget(table, 'expires_at', 1);
      },
    },
    {
      name: 'auth.forget-sessions',
      every: '1 hour',
      isFinal: true,
      async run() {
        for (const column of ['expires_at', 'ended_at']) await forget('auth_session', column, sessionDays);
      },
    },
  ];
};
