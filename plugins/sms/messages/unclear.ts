import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { deliveryQueueRef } from '../tables/message.js';

/**
 * SQL: whether an attempt of the queued message `m`, with the queue row `work`, may have reached the recipient although
 * no answer is recorded: the answer was not clear, or a process died before it recorded the attempt, or a worker has
 * the message now. Each claim of the row is recorded as an attempt, unless the row was given back untried.
 */
export const hasUnclearAttempt =
  '(m.unclear_at IS NOT NULL OR work.attempts > (SELECT COUNT(*) FROM sms_attempt a WHERE a.message_id = m.id))';

/** Whether a queued message that no worker has may have reached the recipient (hasUnclearAttempt). */
export async function isUnclear(db: ReadSession, messageId: string): Promise<boolean> {
  const found = await db.rows(
    `SELECT work.id FROM ${deliveryQueueRef.table} work JOIN sms_message m ON m.id = work.id
     WHERE work.id = ? AND work.leased <> 1 AND ${hasUnclearAttempt}`,
    [idBytes(messageId)],
  );
  return found.length > 0;
}
