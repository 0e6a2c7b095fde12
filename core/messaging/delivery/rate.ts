/** A rate, measured over the last second or so. */
export interface Rate {
  /** Counts one event. */
  add(): void;
  /** @returns events per millisecond; 0 before the first 250 ms have passed */
  perMs(): number;
}

const periodMs = 250;

/** @param now milliseconds of a clock that never goes back */
export function measureRate(now: () => number = () => performance.now()): Rate {
  let [startedAt, count, rate] = [now(), 0, 0];
  const update = (): void => {
    const at = now();
    const passed = at - startedAt;
    if (passed < periodMs) return;
    // Half of a burst counts immediately, so that the rate follows it within a few periods.
    rate = passed > 4 * periodMs ? 0 : (rate + count / passed) / 2;
    count = 0;
    startedAt = at;
  };
  return {
    add() {
      update();
      count += 1;
    },
    perMs() {
      update();
      return rate;
    },
  };
}
