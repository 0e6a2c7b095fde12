/** Counts what runs for each name and keeps the rest waiting, first come first served. */
export interface Gate {
  /** Starts now when there is room for one more under this name; otherwise when its turn comes. */
  enter(name: string, start: () => void): void;
  /** Takes a waiting start out of the queue. False when it has started (or never came). */
  giveUp(name: string, start: () => void): boolean;
  /** One that started is over: the next may start. */
  leave(name: string): void;
}

/**
 * A gate that lets so many run at once under each name. undici's own queue will not do: a request whose deadline has
 * passed stays in it and dials all the same, and an Agent opens a second pool beside one whose connections fail.
 *
 * @param limit how many may run at once under one name
 * @returns the gate
 */
export function createGate(limit: number): Gate {
  const lanes = new Map<string, { running: number; waiting: Set<() => void> }>();
  return {
    enter: (name, start) => {
      const lane = lanes.get(name);
      if (lane === undefined) {
        lanes.set(name, { running: 1, waiting: new Set() });
        start();
      } else if (lane.running < limit) {
        lane.running += 1;
        start();
      } else {
        lane.waiting.add(start);
      }
    },
    giveUp: (name, start) => lanes.get(name)?.waiting.delete(start) ?? false,
    leave: (name) => {
      const lane = lanes.get(name);
      if (lane === undefined) return;
      const [next] = lane.waiting;
      if (next !== undefined) {
        // The place passes on: `running` stays as it is.
        lane.waiting.delete(next);
        next();
      } else {
        lane.running -= 1;
        if (lane.running === 0) lanes.delete(name);
      }
    },
  };
}
