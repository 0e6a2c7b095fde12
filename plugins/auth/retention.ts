import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

const dayMs = 86_400_000;

/** How many days sessions stay listed after they ended or expired (docs/sign-in.md). */
const sessionDays = 90;

/**
 * Tables of rows that are useless a day after they expired. Until then, a late call learns that the code was used or
 * has expired.
 */
const expiring = ['auth_challenge', 'auth_handoff', 'auth_oauth_state', 'auth_device'];

/** Rows per statement, few enough to keep lock times short. */
const batchSize = 1_000;

/** The hourly jobs that delete sessions, started proofs and handoff codes that are past their retention. */
export const retentionJobs = ({ database, clock }: Services): RecurringJob[] => {
  async function forget(table: string, column: string, days: number): Promise<void> {
    const oldest = shift(clock.now(), -days * dayMs);
    for (;;) {
      const { affectedRows } = await database.run(
        `DELETE FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ?`,
        [oldest, batchSize],
      );
      if (affectedRows < batchSize) return;
    }
  }
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
