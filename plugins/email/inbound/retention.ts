import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** Rows per statement: few enough to hold no lock for long. */
const batchSize = 1_000;
const dayMs = 86_400_000;

/** Deletes the addresses of refused mail once its events are deleted. */
export const inboundJobs = ({
  database,
  clock,
  deployment,
}: Pick<Services, 'database' | 'clock' | 'deployment'>): RecurringJob[] => [
  {
    name: 'email.forget-refused-mail',
    every: '1 hour',
    async run() {
      const oldest = shift(clock.now(), -deployment.settings.eventRetentionDays * dayMs);
      for (;;) {
        const { affectedRows } = await database.run(
          "DELETE FROM email_inbound_address WHERE role = 'refused' AND inbound_id < ? ORDER BY inbound_id LIMIT ?",
          [firstIdAt(oldest), batchSize],
        );
        if (affectedRows < batchSize) return;
      }
    },
  },
];

/** The smallest id that is made at a time: a UUIDv7 begins with its milliseconds (RFC 9562 5.7). */
function firstIdAt(at: Date): Buffer {
  const id = Buffer.alloc(16);
  id.writeUIntBE(at.getTime(), 0, 6);
  return id;
}
