import type { Services } from '#core/kernel/services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** Rows of one statement: few enough to hold no lock for long. */
const batch = 1_000;

/** Recorded events are forgotten when their time is over, each with its eventId; what they counted up to stays in the tallies. */
export const retention = ({ database, clock, deployment }: Services): RecurringJob[] => [
  {
    name: 'audience.forget-events',
    every: '1 hour',
    async run() {
      const oldest = new Date(clock.now().getTime() - deployment.settings.eventRetentionDays * 86_400_000);
      for (;;) {
        const { affectedRows } = await database.run(
          'DELETE FROM audience_event WHERE recorded_at < ? ORDER BY recorded_at LIMIT ?',
          [oldest, batch],
        );
        if (affectedRows < batch) return;
      }
    },
  },
];
