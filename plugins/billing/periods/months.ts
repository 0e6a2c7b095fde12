import { hourMs } from '#core/runtime/clock.js';

/* Months are UTC and written as YYYY-MM, so that sorting them as text sorts them by time. */

/** The month that contains a time. */
export const periodOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The first instant of a month. */
export const startOf = (period: string): Date => new Date(`${period}-01T00:00:00.000Z`);

/** The month that is `count` months after another, or before it if `count` is negative. */
export function addMonths(period: string, count: number): string {
  const start = startOf(period);
  return periodOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + count, 1)));
}

export const nextPeriod = (period: string): string => addMonths(period, 1);
export const previousPeriod = (period: string): string => addMonths(period, -1);

/** The first instant after a month. */
export const endOf = (period: string): Date => startOf(nextPeriod(period));

/**
 * How long a month stays open after its end, for usage that was metered just before the end and for the count of
 * contacts at the end of its last day.
 */
export const closeDelayMs = hourMs;

/** The last month that may be closed at a given time. */
export const lastClosablePeriod = (now: Date): string =>
  previousPeriod(periodOf(new Date(now.getTime() - closeDelayMs)));
