/** The only source of the present time. It is injected everywhere, so that tests can change it. */
export interface Clock {
  /** The present time. */
  now(): Date;
}

/**
 * The local clock, corrected by its offset from the database's clock, so that nodes agree on due times although their machines' clocks
 * differ. Leases and locks use the database's NOW(3) itself.
 * @param offsetMs database time minus local time, in milliseconds
 */
export const systemClock = (offsetMs = 0): Clock => ({ now: () => new Date(Date.now() + offsetMs) });

/** `from` moved by `ms` milliseconds (which may be negative). */
export const shift = (from: Date, ms: number): Date => new Date(from.getTime() + ms);
