import type { DeliveryLimits } from '../driver.js';

/**
 * Delivery attempts whose server does not answer for long. A stalled one gives its slot to another message, so that
 * stalled ones never fill a lane. It still counts against its account: if all receivers of an account hang, it has at
 * most as many stalled delivery attempts as it may have slots.
 */
export interface Stalls {
  /** @returns how many messages of an account and lane have stalled and are not yet answered */
  stalled(account: string, lane: number): number;
  /**
   * Runs delivery attempts, one after another.
   * @param freeSlot called once one has stalled, unless too many have
   * @param send calls `restart` when another attempt begins
   * @returns its result
   */
  watch<T>(account: string, lane: number, freeSlot: () => void, send: (restart: () => void) => Promise<T>): Promise<T>;
}

const nameOf = (account: string, lane: number): string => `${lane} ${account}`;

export function trackStalls({
  stalledAfterMs,
  mostStalled,
}: Pick<DeliveryLimits, 'stalledAfterMs' | 'mostStalled'>): Stalls {
  const stalled = new Map<string, number>();
  let total = 0;
  const count = (name: string, change: 1 | -1): void => {
    total += change;
    const now = (stalled.get(name) ?? 0) + change;
    if (now === 0) stalled.delete(name);
    else stalled.set(name, now);
  };
  return {
    stalled: (account, lane) => stalled.get(nameOf(account, lane)) ?? 0,
    async watch(account, lane, freeSlot, send) {
      const name = nameOf(account, lane);
      const counted: string[] = [];
      let hasStalled = false;
      const timer = setTimeout(() => {
        hasStalled = true;
        if (total >= mostStalled) return;
        counted.push(name);
        count(name, 1);
        freeSlot();
      }, stalledAfterMs);
      try {
        return await send(() => {
          if (!hasStalled) timer.refresh();
        });
      } finally {
        clearTimeout(timer);
        counted.forEach((each) => count(each, -1));
      }
    },
  };
}
