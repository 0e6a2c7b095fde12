import type { Services } from '#core/kernel/services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** Rows per statement: few enough that no lock is held for long. */
const batchSize = 1_000;

/** Deletes recorded events, including their eventIds, after the retention time. The tallies are kept. */
export const retention = ({ database, clock, deployment }: Services): RecurringJob[] => [
  {
    name: 'audience.forget-events',
    every: '1 hour',
    isFinal: true,
    async run() {
      const oldest = new Date(clock.now().getTime() - deployment.settings.eventRetentionDays * 86_400_000);
      for (;;) {
        const { affectedRows } = await database.run(
          'DELETE FROM audience_event WHERE recorded_at < ? ORDER BY recorded_at LIMIT ?',
          [oldest, batchSize],
        );
        if (affectedRows < batchSize) return;
      }
    },
  },
];
