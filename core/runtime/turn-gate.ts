import type { Holder } from './holder.js';
import { createTurnTree } from './turn-tree.js';

/** The places that are in use when somebody wants another one. */
interface PlacesInUse {
  /** Places that nobody has. */
  readonly free: number;
  /** Those of the account that wants one. */
  readonly ofAccount: number;
  /** Those of its environment, or of all its test environments. */
  readonly ofEnvironment: number;
}

interface TurnGateOptions {
  /** The number of places. */
  readonly most: number;
  /** Whether a holder may have a place that is free. Otherwise it waits, and others pass. */
  readonly mayTake: (places: PlacesInUse) => boolean;
  readonly waitMs: number;
  /** The error of a caller that had no turn in time. @param hasOwn whether its account has places */
  readonly late: (hasOwn: boolean) => Error;
  /** Called when a caller begins to wait. What it returns is called at the end, with whether it got a place. */
  readonly onWait?: (() => (gotOne: boolean) => void) | undefined;
}

interface TurnGate {
  /** Takes a place, if the holder may have one now. @returns whether it did: then call `leave` at the end */
  tryEnter(holder: Holder): boolean;
  /**
   * Waits for a place. Accounts take turns, then their environments, then the keys of each.
   * @throws what `late` returns
   */
  enter(holder: Holder): Promise<void>;
  /** Gives the place back. */
  leave(holder: Holder): void;
}

interface Waiting {
  readonly holder: Holder;
  readonly start: () => void;
}

/** Gives places to holders that share them. Those who wait hold nothing, and a newcomer is not behind their queues. */
export function createTurnGate({ most, mayTake, waitMs, late, onWait }: TurnGateOptions): TurnGate {
  const held = new Map<string, number>();
  const waiting = createTurnTree<Waiting>();
  let total = 0;
  let waitingCount = 0;

  const environmentOf = ([account, environment]: Holder): string => `${account} ${environment}`;
  const isOpen = (holder: Holder): boolean =>
    total < most &&
    mayTake({
      free: most - total,
      ofAccount: held.get(holder[0]) ?? 0,
      ofEnvironment: held.get(environmentOf(holder)) ?? 0,
    });
  const change = (holder: Holder, by: 1 | -1): void => {
    total += by;
    for (const name of [holder[0], environmentOf(holder)]) {
      const now = (held.get(name) ?? 0) + by;
      if (now === 0) held.delete(name);
      else held.set(name, now);
    }
  };
  const always = (): boolean => true;
  const startNext = (): void => {
    while (waitingCount > 0 && total < most) {
      const next = waiting.take(always, ({ holder }) => isOpen(holder));
      if (!next) return;
      waitingCount -= 1;
      change(next.holder, 1);
      next.start();
    }
  };

  const tryEnter = (holder: Holder): boolean => {
    if (!isOpen(holder)) return false;
    change(holder, 1);
    return true;
  };
  return {
    tryEnter,
    enter(holder) {
      if (tryEnter(holder)) return Promise.resolve();
      const end = onWait?.();
      return new Promise((resolve, reject) => {
        const refuse = (): void => {
          waiting.remove(holder, each);
          waitingCount -= 1;
          end?.(false);
          reject(late(held.has(holder[0])));
        };
        const timer = setTimeout(refuse, waitMs);
        const start = (): void => {
          clearTimeout(timer);
          end?.(true);
          resolve();
        };
        const each: Waiting = { holder, start };
        waiting.add(holder, each);
        waitingCount += 1;
      });
    },
    leave(holder) {
      change(holder, -1);
      startNext();
    },
  };
}
