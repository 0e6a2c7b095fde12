import type { EventConsumer } from '#core/kernel/events/consumer.js';
import { idBytes } from '#core/runtime/id.js';

/** Counts added words by environment. It runs in the background and handles each event exactly once. */
export const countWords: EventConsumer = {
  name: 'ping.count-words',
  types: ['ping.word.added'],
  async handle(events, { db }) {
    for (const { environmentId } of events)
      await db.run(
        'INSERT INTO ping_count (environment_id, added) VALUES (?, 1) ON DUPLICATE KEY UPDATE added = added + 1',
        [idBytes(environmentId)],
      );
  },
};
