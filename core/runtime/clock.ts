/** The one source of time. Everything that asks what time it is asks an injected Clock, so tests can move it. */
export interface Clock {
  /** The present moment. */
  now(): Date;
}

/**
 * The local clock, corrected by what the database said its own was. Nodes then agree on due times
 * although their machines' clocks differ; leases and locks use the database's NOW(3) itself.
 * @param offsetMs database time minus local time, in milliseconds
 */
export const systemClock = (offsetMs = 0): Clock => ({ now: () => new Date(Date.now() + offsetMs) });

/** `from` moved by `ms` milliseconds (which may be negative). */
export const shift = (from: Date, ms: number): Date => new Date(from.getTime() + ms);
