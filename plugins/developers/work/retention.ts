import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

const day = 86_400_000;
/** Rows of one statement: small enough to hold no lock for long. */
const batch = 1_000;

/** Delivery attempts go with the events they delivered. */
export const retention = ({ database, clock, deployment }: Services): RecurringJob[] => [
  {
    name: 'developers.forget-deliveries',
    every: '1 hour',
    async run() {
      const before = shift(clock.now(), -deployment.settings.eventRetentionDays * day);
      for (;;) {
        const { affectedRows } = await database.run(
          `DELETE FROM developers_delivery WHERE status <> 'queued' AND scheduled_at < ? LIMIT ${batch}`,
          [before],
        );
        if (affectedRows < batch) return;
      }
    },
  },
];
