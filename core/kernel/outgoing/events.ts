import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { queuedKind } from './queue-kind.js';
import type { OutgoingKind } from './kind.js';
import { batchQueue, ownersOf } from '../events/batch.js';
import type { EventConsumer } from '../events/consumer.js';

/**
 * Committed events that their consumers have not handled, for operators who restored a backup. Only those of consumers
 * that send something: the others count and hold.
 */
export function eventsKind(consumers: readonly EventConsumer[]): OutgoingKind {
  const sending = new Set(consumers.filter(({ sends }) => sends === true).map(({ name }) => name));
  return queuedKind({
    name: 'events',
    one: 'batch of events that its receiver had not handled,',
    several: 'batches of events that their receivers had not handled,',
    queue: batchQueue,
    operation: 'developers.webhook.deliveries.list',
    async environmentsOf(db: ReadSession, partitionIds) {
      const owners = await ownersOf(db, partitionIds);
      return new Map(
        owners.flatMap(([partitionId, { consumer, environmentId }]) =>
          sending.has(consumer) ? [[partitionId, environmentId] as const] : [],
        ),
      );
    },
    async cancel({ db }, _environment, ids) {
      await db.run('DELETE FROM svc_event_batch WHERE id IN (?)', [ids.map(idBytes)]);
    },
  });
}
