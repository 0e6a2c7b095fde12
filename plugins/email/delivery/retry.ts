import { shift } from '#core/runtime/clock.js';

const minute = 60_000;
/** Delays after temporary failures: short at first, because of greylisting, then longer (RFC 5321 §4.5.4.1). */
const waits = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * minute);
const givenUpAfter = 24 * 60 * minute;

/**
 * When to try a message again after a temporary failure.
 * @param since see DeliveryChannel.retryAt
 * @returns null once it has been tried for a day: it has failed
 */
export function retryAt(attempt: number, since: Date, now: Date): Date | null {
  const wait = waits[Math.min(attempt, waits.length) - 1] ?? minute;
  const next = shift(now, wait);
  return next.getTime() - since.getTime() > givenUpAfter ? null : next;
}
