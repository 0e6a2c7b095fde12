import { shift } from '#core/runtime/clock.js';

const minute = 60_000;
/** After the first attempt: 1 min, 5 min, 30 min, 2 h, 12 h, 24 h (docs/interface.md, Events 5). */
const waits = [1, 5, 30, 120, 720, 1_440].map((minutes) => minutes * minute);

/** Seven attempts in all. @returns when the one after `attempt` is due, or null after the last */
export function nextAttempt(attempt: number, now: Date): Date | null {
  const wait = waits[attempt - 1];
  return wait === undefined ? null : shift(now, wait);
}

/** An endpoint that has failed every attempt for this long is disabled. */
export const disabledAfterMs = 5 * 24 * 60 * minute;
