import type { DeliveryLimits } from '../channel.js';

/**
 * How many messages of one environment and lane are checked and rendered ahead of their hand-over: few where they leave slowly, because what
 * waits long has to be checked again; many where they leave fast, so that they are prepared in large batches.
 */
export interface PreparedDepth {
  /** Records that a message has left. */
  left(environmentId: string, lane: number): void;
  /** How many may be prepared now, while so many hand-overs have stalled. */
  of(environmentId: string, lane: number, stalled: number): number;
}

/** For each place among the hand-overs. */
const [leastPerPlace, mostPerPlace] = [3, 12];
/** What leaves in so long is prepared ahead. */
const aheadMs = 120;
/** The rate is that of the last periods of so long. */
const periodMs = 250;
const maxKnown = 10_000;

interface Rate {
  startedAt: number;
  count: number;
  /** Messages per millisecond. */
  rate: number;
}

export function preparedDepth(
  { perEnvironment, alone }: Pick<DeliveryLimits, 'perEnvironment' | 'alone'>,
  now: () => number = () => performance.now(),
): PreparedDepth {
  const rates = new Map<string, Rate>();
  const nameOf = (environmentId: string, lane: number): string => `${lane} ${environmentId}`;
  const current = (rate: Rate): Rate => {
    const passed = now() - rate.startedAt;
    if (passed < periodMs) return rate;
    // A burst counts half at once, so that the depth grows within some periods.
    rate.rate = passed > 4 * periodMs ? 0 : (rate.rate + rate.count / passed) / 2;
    rate.count = 0;
    rate.startedAt = now();
    return rate;
  };
  return {
    left(environmentId, lane) {
      const name = nameOf(environmentId, lane);
      const known = rates.get(name);
      if (known) current(known).count += 1;
      else {
        if (rates.size >= maxKnown) rates.clear();
        rates.set(name, { startedAt: now(), count: 1, rate: 0 });
      }
    },
    of(environmentId, lane, stalled) {
      const known = rates.get(nameOf(environmentId, lane));
      const leaving = known ? current(known).rate * aheadMs : 0;
      const least = leastPerPlace * Math.max(0, perEnvironment - stalled);
      return Math.round(Math.min(least + leaving, mostPerPlace * alone));
    },
  };
}

/** The largest number that `of` returns. */
export const deepest = ({ alone }: Pick<DeliveryLimits, 'alone'>): number => mostPerPlace * alone;
