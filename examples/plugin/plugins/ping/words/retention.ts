import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** Deletes words after a year, 1,000 at a time so that locks are held briefly. */
export const retention = ({ database, clock }: Services): RecurringJob[] => [
  {
    name: 'ping.retention',
    every: '1 hour',
    isFinal: true,
    async run() {
      const until = shift(clock.now(), -365 * 86_400_000);
      await database.run('DELETE FROM ping_word WHERE created_at < ? LIMIT 1000', [until]);
    },
  },
];
