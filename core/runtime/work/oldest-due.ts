import type { Session } from '../database/session.js';
import { duePartitionsFrom } from './claim.js';
import type { WorkQueue } from './queue.js';

/** The facts about a queue that show how far behind it is. */
export type WaitingQueue = Pick<WorkQueue, 'name' | 'table' | 'excludedPartitions' | 'oldestRetry'>;

/**
 * Reads how long the longest-waiting due row of each queue has waited for a worker of any node. Rows that may not be
 * claimed now, such as those of paused broadcasts, do not count. It takes one index lookup for each partition with
 * waiting rows, no matter how many rows wait.
 * @returns seconds by the queue's name; 0 if nothing is due
 */
export async function oldestDue(
  database: Pick<Session, 'rows'>,
  queues: readonly WaitingQueue[],
  now: Date,
): Promise<Map<string, number>> {
  if (queues.length === 0) return new Map();
  const each = queues.map(
    (queue, index) => `(SELECT ${index} AS queue, MIN(waiting.due_at) AS oldest ${duePartitionsFrom(queue)})`,
  );
  const rows = await database.rows<{ queue: number; oldest: Date | null }>(
    each.join(' UNION ALL '),
    queues.map(() => now),
  );
  const oldest = new Map(rows.map((row) => [row.queue, row.oldest]));
  return new Map(
    queues.map(({ name }, index) => {
      const at = oldest.get(index);
      return [name, at ? (now.getTime() - at.getTime()) / 1000 : 0];
    }),
  );
}

/**
 * Reads for how long the oldest row has been tried that waits for another attempt, of each queue that knows it.
 * @returns seconds by the queue's name; 0 if none waits
 */
export async function oldestRetries(queues: readonly WaitingQueue[], now: Date): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { name, oldestRetry } of queues) {
    if (!oldestRetry) continue;
    const since = await oldestRetry();
    found.set(name, since ? Math.max(0, now.getTime() - since.getTime()) / 1000 : 0);
  }
  return found;
}
