import type { Services } from '#core/kernel/services.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { deliveryQueue } from './list.js';

/** Rows of one transaction: few enough to hold no lock for long. */
const batch = 1_000;

/**
 * Delivery attempts go with the events they delivered, and so do those that still wait for a disabled endpoint: without its event
 * nothing is left to send. Ids of events grow with time, so that all before the oldest one kept are gone.
 */
export const retention = ({ database }: Services): RecurringJob[] => [
  {
    name: 'developers.forget-deliveries',
    every: '1 hour',
    async run() {
      const now = idBytes(newId());
      const [oldest] = await database.rows<{ id: Buffer | null }>('SELECT MIN(id) AS id FROM svc_event');
      for (;;) {
        const rows = await database.rows<{ id: Buffer }>(
          'SELECT id FROM developers_delivery WHERE event_id < ? ORDER BY event_id LIMIT ?',
          [oldest?.id ?? now, batch],
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
