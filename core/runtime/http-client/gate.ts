/** Limits how many functions run at a time for each name. Others wait in a queue. */
export interface Gate {
  /** Calls `start` immediately if the limit of this name is not reached, otherwise when it is first in the queue. */
  enter(name: string, start: () => void): void;
  /** Removes `start` from the queue. @returns false if it was already called or never queued */
  giveUp(name: string, start: () => void): boolean;
  /** Reports that a started function has ended, so that the next one may start. */
  leave(name: string): void;
}

/**
 * Creates a gate. undici's own queue does not suffice: a request whose deadline has passed stays in it and still
 * connects, and an Agent opens a second pool if connections of the first one fail.
 *
 * @param limit how many functions may run at a time for one name
 * @returns the gate
 */
export function createGate(limit: number): Gate {
  const queues = new Map<string, { running: number; waiting: Set<() => void> }>();
  return {
    enter: (name, start) => {
      const queue = queues.get(name);
      if (queue === undefined) {
        queues.set(name, { running: 1, waiting: new Set() });
        start();
      } else if (queue.running < limit) {
        queue.running += 1;
        start();
      } else {
        queue.waiting.add(start);
      }
    },
    giveUp: (name, start) => queues.get(name)?.waiting.delete(start) ?? false,
    leave: (name) => {
      const queue = queues.get(name);
      if (queue === undefined) return;
      const [next] = queue.waiting;
      if (next !== undefined) {
        // The next one takes this place, so `running` does not change.
        queue.waiting.delete(next);
        next();
      } else {
        queue.running -= 1;
        if (queue.running === 0) queues.delete(name);
      }
    },
  };
}
