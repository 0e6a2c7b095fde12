import type { Context } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { withdrawWork } from '#core/runtime/work/queue.js';
import type { Channel, StatusChange } from './channel.js';
import { cancelWaiting, finalizeMessages } from './finalize.js';
import { loadMessages } from './load.js';
import type { MessageFields } from './tables.js';

/**
 * Cancels a message that no worker has leased, unless it has ended. Whoever removes or leases the queue row first decides: this call or a
 * worker.
 * @param emit gets the message's final status: `sent` if some recipients had already received it
 * @returns the message with its final status; null when a worker has it, or it has ended
 */
export async function cancelMessage<M extends MessageFields>(
  context: Pick<Context, 'db' | 'use'>,
  channel: Channel<M>,
  messageId: string,
  environment: Environment,
  at: Date,
  emit: (change: StatusChange<M>) => void,
): Promise<M | null> {
  const { db } = context;
  if (!(await withdrawWork(db, channel.queue, messageId))) return null;
  const loaded = (await loadMessages(db, channel, [messageId])).get(messageId);
  if (!loaded) return null;
  const ended = { ...loaded, environment, recipients: cancelWaiting(loaded.recipients, at) };
  const [final] = await finalizeMessages(context, channel, [ended], at, emit);
  return final ?? null;
}
