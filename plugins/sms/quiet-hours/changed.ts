import type { EventConsumer } from '#core/kernel/events/consumer.js';
import { idBytes } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import { deliveryQueueRef } from '../messages/channel.js';

/**
 * Makes what waits for the end of quiet hours due when the settings change: each text is checked again, and leaves or waits by the new hours.
 * Whether it waits for that or for another attempt makes no difference.
 */
export const recheckWhenChanged: EventConsumer = {
  name: 'sms.quiet-hours',
  types: ['sms.settings.changed', 'sms.settings.reset'],
  async handle(events, { db, clock, wake }) {
    const now = clock.now();
    for (const id of new Set(events.map(({ environmentId }) => environmentId))) {
      const environment = idBytes(id);
      const waits = `leased = 0 AND lane = ${lanes.bulk} AND due_at > ?`;
      const broadcasts = await db.rows<{ id: Buffer }>(
        "SELECT id FROM sms_broadcast WHERE environment_id = ? AND status IN ('sending', 'held')",
        [environment],
      );
      // The texts of a broadcast are a partition of their own, those of automations are in the environment's.
      for (const partition of [environment, ...broadcasts.map((row) => row.id)])
        await db.run(`UPDATE ${deliveryQueueRef.table} SET due_at = ? WHERE partition_id = ? AND ${waits}`, [
          now,
          partition,
          now,
        ]);
    }
    wake(deliveryQueueRef.name);
  },
};
