import { shift, minuteMs } from '#core/runtime/clock.js';
import { testEvent } from '../webhooks/health.js';

/*
 * When deliveries are repeated (docs/interface.md, Events 5 and 6). After the seventh attempt a delivery is dead, and
 * stays so until a call replays it (replay-dead.ts). An endpoint that failed every attempt for five days, or answered
 * 410, is disabled, and its deliveries wait (webhooks/disable-failing.ts).
 */

/** The delay after each failed attempt: 1 min, 5 min, 30 min, 2 h, 12 h, 24 h. */
const delays = [1, 5, 30, 120, 720, 1_440].map((minutes) => minutes * minuteMs);

const longestDelay = Math.max(...delays);

/** The longest time between two attempts. */
export const longestWaitMs = longestDelay + 60 * minuteMs;

/**
 * @param retryAfter the wait that the endpoint asked for, in milliseconds; it counts up to the longest delay
 * @returns when the next attempt after a failed one is due; null after the last
 */
export function nextAttempt(attempt: number, eventType: string, now: Date, retryAfter = 0): Date | null {
  const delay = eventType === testEvent ? undefined : delays[attempt - 1];
  return delay === undefined ? null : shift(now, Math.max(delay, Math.min(retryAfter, longestDelay)));
}

/**
 * Reads a header Retry-After: seconds or a date (RFC 9110 section 10.2.3).
 * @returns the wait in milliseconds, 0 if the header states none
 */
export function retryAfterMs(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = text.length <= 40 && /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}

/** The status by which an endpoint states that it wants no more deliveries (RFC 9110, section 15.5.11). */
export const goneStatus = 410;
