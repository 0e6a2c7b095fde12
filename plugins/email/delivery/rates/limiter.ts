/** Spaces what leaves evenly, at most so many a second, with what must not wait before the rest. */
export interface Limiter {
  /** When the next one could leave, in milliseconds. */
  next(urgent: boolean, now: number): number;
  /** Takes the places of `count`. @returns when the first of them is */
  take(count: number, urgent: boolean, now: number): number;
  /** Changes the rate for what comes. */
  setRate(perSecond: number): void;
  /** Moves the places that are taken by `ms` milliseconds, with the clock. */
  move(ms: number): void;
}

/**
 * Urgent ones queue only behind each other and push the rest back. Places that the rest took before are kept, so both together may be above
 * the rate for as long as those last.
 */
export function createLimiter(perSecond: number): Limiter {
  let spacing = 1_000 / perSecond;
  let nextUrgent = -Infinity;
  let nextOther = -Infinity;
  return {
    next: (urgent, now) => Math.max(now, urgent ? nextUrgent : nextOther),
    take(count, urgent, now) {
      const at = Math.max(now, urgent ? nextUrgent : nextOther);
      const used = count * spacing;
      if (urgent) nextUrgent = at + used;
      nextOther = urgent ? Math.max(now, nextOther) + used : at + used;
      return at;
    },
    move(ms) {
      nextUrgent += ms;
      nextOther += ms;
    },
    setRate(rate) {
      spacing = 1_000 / rate;
    },
  };
}
