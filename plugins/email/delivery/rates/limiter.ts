/** Spaces messages evenly, up to a number per second. Urgent messages go first. */
export interface Limiter {
  /** When the next one could be sent, in milliseconds. */
  next(urgent: boolean, now: number): number;
  /** Takes the places of `count` messages. @returns the time of the first place */
  take(count: number, urgent: boolean, now: number): number;
  /** Changes the rate for future messages. */
  setRate(perSecond: number): void;
  /** Moves the places that are taken by `ms` milliseconds, with the clock. */
  move(ms: number): void;
}

/**
 * Urgent messages wait only for each other and delay the rest. Places that the rest took before are kept, so both
 * together may exceed the rate until these places are used up.
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
