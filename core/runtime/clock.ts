/** The only source of the present time. It is injected everywhere, so that tests can change it. */
export interface Clock {
  /** The present time. */
  now(): Date;
  /**
   * Whether the time is good enough for steps that cannot be undone, such as closing a month, deleting by age or giving
   * up. They wait while it is not: the machine's clock and the database's differ by more than a minute, or one of them
   * has jumped recently.
   */
  isTrusted(): boolean;
  /**
   * A time that has surely come, for what must not happen too early because somebody planned it: the present time, and
   * while that is not trusted the earliest that one of the clocks, or their course before the doubt, suggests.
   */
  certain(): Date;
  /**
   * The latest time that this clock has shown, while that is still to come because the clock was set back since; null
   * otherwise. Times that were computed from it are too late.
   */
  aheadUntil(): Date | null;
}

/** `from` moved by `ms` milliseconds (which may be negative). */
export const shift = (from: Date, ms: number): Date => new Date(from.getTime() + ms);

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The UTC day that contains a time, as days since 1970-01-01. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs);

/** The date of a day, YYYY-MM-DD. @param day see dayOf */
export const dateOfDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
