import type { Services } from '#core/kernel/services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** Rows per statement, few enough to keep lock times short. */
const batchSize = 1_000;

/**
 * Rows that are useless a day after they expired. Until then, a late call learns that the code was used or has expired.
 */
const tables = ['auth_challenge', 'auth_handoff', 'auth_oauth_state', 'auth_device'];

/** Deletes started proofs and handoff codes a day after they expired. */
export const expiryJobs = ({ database, clock }: Services): RecurringJob[] => [
  {
    name: 'auth.forget-expired',
    every: '1 hour',
    isFinal: true,
    async run() {
      const oldest = new Date(clock.now().getTime() - 86_400_000);
      for (const table of tables) {
        for (;;) {
          const { affectedRows } = await database.run(
            `DELETE FROM ${table} WHERE expires_at < ? ORDER BY expires_at LIMIT ?`,
            [oldest, batchSize],
          );
          if (affectedRows < batchSize) break;
        }
      }
    },
  },
];
