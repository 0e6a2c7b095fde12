import type { MessageRow } from '../tables/message.js';
import { shift } from '#core/runtime/clock.js';

const second = 1_000;
const minute = 60 * second;
/** Waits after temporary failures: short, because a text is about now. */
const waits = [5 * second, 15 * second, 30 * second, minute, 2 * minute, 5 * minute, 15 * minute];
/** A code is valid for ten minutes, see plugins/auth/challenges/lifetimes.ts; other texts are given more time. */
const givenUpAfter = { system: 10 * minute, other: 240 * minute };

/** Within about four hours. */
const bulkAttempts = 20;

/**
 * When to try a text again after a temporary failure.
 * @param dueAt when it was first due
 * @returns null once it is too old: it has failed
 */
export function retryAt(
  attempt: number,
  dueAt: Date,
  now: Date,
  { isSystem, broadcastId, automationId }: Pick<MessageRow, 'isSystem' | 'broadcastId' | 'automationId'>,
): Date | null {
  // Texts of broadcasts and automations may have waited long before their first attempt: a pause, quiet hours.
  if (broadcastId !== null || automationId !== null)
    return attempt >= bulkAttempts ? null : shift(now, waits[Math.min(attempt, waits.length) - 1] ?? minute);
  const next = shift(now, waits[Math.min(attempt, waits.length) - 1] ?? minute);
  return next.getTime() - dueAt.getTime() > givenUpAfter[isSystem ? 'system' : 'other'] ? null : next;
}
