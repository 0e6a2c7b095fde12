import type { Services } from '#core/kernel/services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** How long sessions stay listed after they ended or expired (docs/sign-in.md). */
export const keptDays = 90;

/** Rows per statement, few enough to keep lock times short. */
const batchSize = 1_000;

/** Deletes sessions that ended or expired at least 90 days ago. */
export const sessionRetention = ({ database, clock }: Services): RecurringJob[] => [
  {
    name: 'auth.forget-sessions',
    every: '1 hour',
    isFinal: true,
    async run() {
      const oldest = new Date(clock.now().getTime() - keptDays * 86_400_000);
      for (const column of ['expires_at', 'ended_at']) {
        for (;;) {
          const { affectedRows } = await database.run(
            `DELETE FROM auth_session WHERE ${column} < ? ORDER BY ${column} LIMIT ?`,
            [oldest, batchSize],
          );
          if (affectedRows < batchSize) break;
        }
      }
    },
  },
];
