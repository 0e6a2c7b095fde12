import { DatabaseUnavailable } from '../errors.js';
import { beginWait, type Connections, type ConnectionWaits } from './share.js';

/** A partition held all the connections that it may, and none of them was released in time. */
export class ShareExhausted extends Error {
  override name = 'ShareExhausted';
}

/** How long a partition waits for one of its connections. */
export const shareWaitMs = 5_000;

interface Waiting {
  partition: string;
  start: () => void;
}

/**
 * Divides connections among partitions that are independent of each other, such as environments: a partition may take
 * another connection only while it holds fewer than it leaves free. So one partition gets at most half of them, a
 * second one half of the rest, and so on, and a newcomer finds a free one. Waiting callers hold no connection, and are
 * served in order of arrival.
 * @param most the number of connections
 * @returns the connections that one partition may take. Their `take` throws ShareExhausted after 5 s, or
 *   DatabaseUnavailable
 */
export function fairShares(
  connections: Connections,
  most: number,
  waits?: ConnectionWaits,
): (partition: string) => Connections {
  const held = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let total = 0;

  const mayTake = (partition: string): boolean => (held.get(partition) ?? 0) < most - total;
  const change = (partition: string, by: 1 | -1): void => {
    total += by;
    const now = (held.get(partition) ?? 0) + by;
    if (now === 0) held.delete(partition);
    else held.set(partition, now);
  };
  const leave = (partition: string): void => {
    change(partition, -1);
    for (const each of waiting) {
      if (total >= most) return;
      if (mayTake(each.partition)) each.start();
    }
  };
  const turn = (partition: string): Promise<void> => {
    const end = beginWait(waits);
    return new Promise((resolve, reject) => {
      const late = (): void => {
        waiting.delete(each);
        end(false);
        const isOwn = held.has(partition);
        reject(isOwn ? new ShareExhausted() : new DatabaseUnavailable('No database connection was free within 5 s.'));
      };
      const timer = setTimeout(late, shareWaitMs);
      const each: Waiting = {
        partition,
        start() {
          waiting.delete(each);
          clearTimeout(timer);
          end(true);
          change(partition, 1);
          resolve();
        },
      };
      waiting.add(each);
    });
  };

  return (partition) => ({
    async take() {
      if (mayTake(partition)) change(partition, 1);
      else await turn(partition);
      try {
        return await connections.take();
      } catch (error) {
        leave(partition);
        throw error;
      }
    },
    release(connection, error) {
      connections.release(connection, error);
      leave(partition);
    },
    discard(connection) {
      connections.discard(connection);
      leave(partition);
    },
  });
}
