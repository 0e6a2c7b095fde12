import type { Closure } from './delivery/recheck.js';
import type { MessageFields } from './tables.js';

/** When a message was first due. */
export const dueAt = ({ sendAfter, createdAt }: Pick<MessageFields, 'sendAfter' | 'createdAt'>): Date =>
  sendAfter ?? createdAt;

const staleAfterMs = 24 * 3_600_000;

/** Whether a closure of the account held a message for a day or more: what it says is out of date, and it is cancelled. */
export function isStale(due: Date, closure: Closure | undefined): boolean {
  if (!closure || due.getTime() > closure.to.getTime()) return false;
  return closure.to.getTime() - Math.max(due.getTime(), closure.from.getTime()) >= staleAfterMs;
}
