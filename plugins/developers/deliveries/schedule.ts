import { shift, minuteMs } from '#core/runtime/clock.js';
import { testEvent } from '../webhooks/health.js';

/*
 * When deliveries are repeated (docs/interface.md, Events 5 and 6). After the seventh attempt a delivery is dead, and
 * stays so until a call replays it (replay-dead.ts). An endpoint that failed every attempt for five days, or answered
 * 410, is disabled, and its deliveries wait (webhooks/disable-failing.ts).
 */

/** The delay after each failed attempt: 1 min, 5 min, 30 min, 2 h, 12 h, 24 h. */
const delays = [1, 5, 30, 120, 720, 1_440].map((minutes) => minutes * minuteMs);

/** The longest time between two attempts. */
export const longestWaitMs = Math.max(...delays) + 60 * minuteMs;

/** @returns when the next attempt after a failed one is due; null after the last */
export function nextAttempt(attempt: number, eventType: string, now: Date): Date | null {
  const delay = eventType === testEvent ? undefined : delays[attempt - 1];
  return delay === undefined ? null : shift(now, delay);
}

/** The status by which an endpoint states that it wants no more deliveries (RFC 9110, section 15.5.11). */
export const goneStatus = 410;
