import { dueAt } from '#core/messaging/due.js';
import type { MessageRow } from '../tables/message.js';
import { shift } from '#core/runtime/clock.js';

const second = 1_000;
const minute = 60 * second;
/** Delays after temporary failures. They are short because texts are urgent. */
const waits = [5 * second, 15 * second, 30 * second, minute, 2 * minute, 5 * minute, 15 * minute];
/** A code is valid for ten minutes, see plugins/auth/challenges/lifetimes.ts; other texts are given more time. */
const givenUpAfter = { system: 10 * minute, other: 240 * minute };

/** Within about four hours. */
const bulkAttempts = 20;

/**
 * When to try a text again after a temporary failure.
 * @param since see DeliveryChannel.retryAt
 * @returns null once it has been tried long enough: it has failed
 */
export function retryAt(
  attempt: number,
  since: Date,
  now: Date,
  message: Pick<MessageRow, 'isSystem' | 'broadcastId' | 'automationId' | 'sendAfter' | 'createdAt'>,
): Date | null {
  const { isSystem, broadcastId, automationId } = message;
  // Quiet hours may lie between two attempts of a text of a broadcast or an automation.
  if (broadcastId !== null || automationId !== null)
    return attempt >= bulkAttempts ? null : shift(now, waits[Math.min(attempt, waits.length) - 1] ?? minute);
  const next = shift(now, waits[Math.min(attempt, waits.length) - 1] ?? minute);
  // A system text is valid only for some minutes, no matter when it was first tried.
  const tooOld = isSystem
    ? next.getTime() - dueAt(message).getTime() > givenUpAfter.system
    : next.getTime() - since.getTime() > givenUpAfter.other;
  return tooOld ? null : next;
}
