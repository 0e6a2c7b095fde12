import { dayMs } from '#core/runtime/clock.js';
import type { MessageFields } from './tables.js';

/** When a message was first due. */
export const dueAt = ({ sendAfter, createdAt }: Pick<MessageFields, 'sendAfter' | 'createdAt'>): Date =>
  sendAfter ?? createdAt;

/** A time during which the account was closed. */
export interface Closure {
  readonly from: Date;
  readonly to: Date;
}

const staleAfterMs = dayMs;

/**
 * Whether a closure of the account held a message for a day or more. Its content is then out of date, and the message
 * is cancelled.
 */
export function isStale(due: Date, closure: Closure | undefined): boolean {
  if (!closure || due.getTime() > closure.to.getTime()) return false;
  return closure.to.getTime() - Math.max(due.getTime(), closure.from.getTime()) >= staleAfterMs;
}
