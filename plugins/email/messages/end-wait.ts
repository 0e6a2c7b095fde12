import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { unsentRecipients } from '#core/messaging/load.js';
import { findMessage } from '#core/messaging/message-retention.js';
import { waitingOf } from '#core/messaging/waiting.js';
import type { EmailMessage } from '../resources.js';
import { messages } from '../tables/message.js';
import { deliveryQueueRef, emailDriver } from './driver.js';
import { presentMessage } from './present.js';
import { tryNow } from './retries.js';

/**
 * Ends the wait of a message for its next attempt: it is tried now.
 * @returns the message
 * @throws not_found; message_not_cancellable if it waits for no other attempt
 */
export async function endMessageWait(
  context: Pick<
    Context<never, 'message_not_cancellable'>,
    'db' | 'clock' | 'fail' | 'audit' | 'deployment' | 'wake'
  > & {
    readonly caller: TenantCaller;
  },
  messageId: string,
): Promise<ValueOf<typeof EmailMessage>> {
  const { db, clock, caller, fail, audit, wake } = context;
  const message = await findMessage(context, messages, messageId);
  const now = clock.now();
  const outcome = await tryNow(db, message.id, now);
  if (outcome === 'not waiting') {
    const status = message.status === 'queued' ? 'not waiting for another attempt' : message.status;
    throw fail.message_not_cancellable({ get: 'email.message.get', status });
  }
  audit({
    subject: { type: 'message', id: message.id },
    summary: 'Ended the wait of a message for its next attempt.',
    changes: outcome === 'due' ? [{ field: 'nextAttemptAt', from: 'later', to: now.toISOString() }] : [],
    unchanged: 'the message was already due.',
  });
  wake(deliveryQueueRef.name);
  const isClosed = caller.environment.closedAt !== null;
  const { suppressed } = await unsentRecipients(db, emailDriver, [message.id]);
  const waiting = await waitingOf(db, emailDriver, [message], isClosed);
  return presentMessage(message, suppressed.get(message.id) ?? [], waiting.get(message.id));
}
