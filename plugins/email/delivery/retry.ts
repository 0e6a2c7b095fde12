import { shift } from '#core/runtime/clock.js';

const minute = 60_000;
/** Waits after each temporary refusal: soon at first, because greylisting wants minutes, then seldom (RFC 5321 §4.5.4.1). */
const waits = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * minute);
const givenUpAfter = 24 * 60 * minute;

/**
 * When a message that was refused for now is tried again.
 * @param dueAt when it was first due
 * @returns null when a day has passed: it has failed
 */
export function nextTry(attempt: number, dueAt: Date, now: Date): Date | null {
  const wait = waits[Math.min(attempt, waits.length) - 1] ?? minute;
  const next = shift(now, wait);
  return next.getTime() - dueAt.getTime() > givenUpAfter ? null : next;
}

const heldTooLong = 24 * 60 * minute;

/**
 * Was the message held back for a day or more by a closure of its account? Then it is cancelled: what it says is stale
 * (catalog, account.reopen).
 */
export function isStale(dueAt: Date, closure: { from: Date; to: Date } | undefined): boolean {
  if (!closure || dueAt.getTime() > closure.to.getTime()) return false;
  return closure.to.getTime() - Math.max(dueAt.getTime(), closure.from.getTime()) >= heldTooLong;
}
