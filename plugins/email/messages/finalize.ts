import type { Session } from '#core/runtime/database/session.js';
import { contents } from '../tables/content.js';
import { messages, type MessageRow } from '../tables/message.js';
import { recipients } from '../tables/recipient.js';

/**
 * Ends a message that waited, and was taken out of its queue: whoever has not got it gets it no more.
 * @returns the message as it is now: cancelled, or sent where it waited for another try and somebody had got it
 */
export async function endWaiting(db: Session, message: MessageRow, at: Date): Promise<MessageRow> {
  const messageId = message.id;
  const reached = (await db.count(recipients, { messageId, status: 'sent' })) > 0;
  const end = { status: reached ? 'sent' : 'cancelled', sentAt: reached ? at : null, endedAt: at } as const;
  await db.update(messages, { id: messageId }, end);
  await db.update(recipients, { messageId, status: 'queued' }, { status: 'cancelled', endedAt: at });
  // As where it is sent: what may hold a code or a link is not kept.
  if (message.isSystem) await db.remove(contents, { messageId });
  return { ...message, ...end };
}
