import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import { dayMs, shift } from '#core/runtime/clock.js';
import type { Services } from '#core/kernel/services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** Deletes recorded events, including their eventIds, after the retention time. The tallies are kept. */
export const retention = ({ database, clock, deployment }: Services): RecurringJob[] => [
  {
    name: 'audience.forget-events',
    every: '1 hour',
    isFinal: true,
    async run() {
      const oldest = shift(clock.now(), -deployment.settings.eventRetentionDays * dayMs);
      await deleteInBatches(database, 'DELETE FROM audience_event WHERE recorded_at < ? ORDER BY recorded_at', [
        oldest,
      ]);
    },
  },
];
