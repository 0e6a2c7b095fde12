import { shift } from '#core/runtime/clock.js';

const minute = 60_000;
/** Waits after each failed attempt: 1 min, 5 min, 30 min, 2 h, 12 h, 24 h (docs/interface.md, Events 5). */
const waits = [1, 5, 30, 120, 720, 1_440].map((minutes) => minutes * minute);

/** The event of developers.webhook.test. Its delivery is attempted once, and does not count towards the endpoint's health. */
export const testEvent = 'developers.webhook.test';

/** @returns when the attempt after this failed one is due; null when there is none */
export function nextAttempt(attempt: number, eventType: string, now: Date): Date | null {
  const wait = eventType === testEvent ? undefined : waits[attempt - 1];
  return wait === undefined ? null : shift(now, wait);
}

/** An endpoint that has failed every attempt for this long is disabled. */
export const disabledAfterMs = 5 * 24 * 60 * minute;
