import type { Services } from '#core/kernel/services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import { firstIdAt } from '#core/runtime/id.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { deliveryQueue } from '../tables/delivery.js';

/** The number of rows per transaction, small enough to keep lock times short. */
const batchSize = 1_000;

/**
 * The hourly job that deletes deliveries whose event has passed its retention, including those that wait for a disabled
 * endpoint. Event ids increase with time, so every delivery of an event older than the oldest stored one is deleted.
 */
export const deliveryRetention = ({ database, clock, deployment }: Services): RecurringJob[] => [
  {
    name: 'developers.forget-deliveries',
    every: '1 hour',
    isFinal: true,
    async run() {
      // An event that is being written has a higher id.
      const expired = firstIdAt(shift(clock.now(), -deployment.settings.eventRetentionDays * dayMs));
      const [oldest] = await database.rows<{ id: Buffer | null }>('SELECT MIN(id) AS id FROM svc_event');
      for (;;) {
        const rows = await database.rows<{ id: Buffer }>(
          'SELECT id FROM developers_delivery WHERE event_id < ? ORDER BY event_id LIMIT ?',
          [oldest?.id ?? expired, batchSize],
        );
        if (rows.length === 0) return;
        const ids = rows.map(({ id }) => id);
        await database.transaction(async (db) => {
          await db.run(`DELETE FROM ${deliveryQueue.table} WHERE id IN (?)`, [ids]);
          await db.run('DELETE FROM developers_delivery WHERE id IN (?)', [ids]);
        });
      }
    },
  },
];
