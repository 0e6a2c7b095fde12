import type { Database } from '#core/runtime/database/session.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import { rescheduleMany, type Claim, type QueueRef } from '#core/runtime/work/queue.js';

/** Messages in one transaction, at most. */
const maxItems = 200;

/**
 * Returns a claimed message to the queue, without counting the claim as an attempt.
 * @param dueAt when a worker may claim it again
 */
type Requeue = (claim: Claim, dueAt: Date) => Promise<unknown>;

/** Messages that are returned at the same time share a transaction. */
export function createRequeue(database: Database, queue: QueueRef): Requeue {
  const requeue = createBatcher(
    async (items: readonly { claim: Claim; dueAt: Date }[]) => {
      await rescheduleMany(database, queue, items);
      return items.map(() => true);
    },
    { maxItems },
  );
  return (claim, dueAt) => requeue({ claim, dueAt });
}
