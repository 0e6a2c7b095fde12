import { eventually } from './eventually.js';

/** A place in a handler where a test holds calls until it lets them go. Open until it is closed. */
export interface Gate {
  /** What the handler awaits. */
  pass(): Promise<void>;
  close(): void;
  /** Lets everybody through who waits, and all who come later. */
  open(): void;
  /** Waits until `count` calls stand at the gate. */
  reached(count: number): Promise<void>;
}

export function createGate(): Gate {
  let closed = false;
  let waiting: (() => void)[] = [];
  return {
    pass: async () => {
      if (closed) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
    close() {
      closed = true;
    },
    open() {
      closed = false;
      const all = waiting;
      waiting = [];
      all.forEach((go) => go());
    },
    reached: (count) => eventually(() => waiting.length >= count, `${count} calls at the gate`),
  };
}
