import type { DeliveryLimits } from '../driver.js';
import { measureRate, type Rate } from './rate.js';

/**
 * How many messages of one account and lane are rendered ahead of their delivery attempt: few if messages leave
 * slowly, because one that waits too long returns to the queue; many if they leave fast, so that they are rendered and
 * checked in large batches.
 */
interface PreparedDepth {
  /** Records that a message has left. */
  left(account: string, lane: number): void;
  /** How many may be prepared now, given the number of stalled delivery attempts. */
  of(account: string, lane: number, stalled: number): number;
}

/** The smallest and largest number of prepared messages for each send slot. */
const [leastPerSlot, mostPerSlot] = [3, 12];
/** As many messages are prepared ahead as are sent in this time, in milliseconds. */
const aheadMs = 120;
const maxKnown = 10_000;

export function preparedDepth(
  { perAccount, alone }: Pick<DeliveryLimits, 'perAccount' | 'alone'>,
  now?: () => number,
): PreparedDepth {
  const rates = new Map<string, Rate>();
  const nameOf = (account: string, lane: number): string => `${lane} ${account}`;
  const rateOf = (name: string): Rate => {
    const known = rates.get(name);
    if (known) return known;
    if (rates.size >= maxKnown) rates.clear();
    const rate = measureRate(now);
    rates.set(name, rate);
    return rate;
  };
  return {
    left: (account, lane) => rateOf(nameOf(account, lane)).add(),
    of(account, lane, stalled) {
      const leaving = (rates.get(nameOf(account, lane))?.perMs() ?? 0) * aheadMs;
      const least = leastPerSlot * Math.max(0, perAccount - stalled);
      return Math.round(Math.min(least + leaving, mostPerSlot * alone));
    },
  };
}

/** The largest number that `of` returns. */
export const deepest = ({ alone }: Pick<DeliveryLimits, 'alone'>): number => mostPerSlot * alone;
