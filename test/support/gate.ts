import { eventually } from './eventually.js';

/** A point in a handler where a test can block calls. Open at first. */
export interface Gate {
  /** Awaited by the handler. */
  pass(): Promise<void>;
  close(): void;
  /** Lets all waiting and later calls through. */
  open(): void;
  /** Waits until `count` calls are blocked. */
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
