import type { Environment, TenantCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { OwnedTable } from '#core/kernel/environment/owned.js';
import { withdrawMessage } from './chunks.js';
import type { MessageDriver, StatusChange } from './driver.js';
import { cancelWaiting, finalizeMessages } from './finalize.js';
import { loadMessages } from './load.js';
import { findMessage } from './message-retention.js';
import { shownStatus, type MessageFields } from './tables.js';
import { waitingOf } from './waiting.js';
import { systemTemplatesOf } from './system-template.js';

/**
 * Cancels a message that no worker has leased, unless it has ended. The first one to remove or lease the queue row,
 * or to lock the chunk, decides: this call or a worker.
 * @param emit gets the message's final status: `sent` if some recipients had already received it
 * @returns the message with its final status; null if a worker has it, or it has ended
 */
export async function cancelMessage<M extends MessageFields>(
  context: Pick<Context, 'db' | 'use'>,
  driver: MessageDriver<M>,
  messageId: string,
  environment: Environment,
  at: Date,
  emit: (change: StatusChange<M>) => void,
): Promise<M | null> {
  const { db } = context;
  if (!(await withdrawMessage(db, driver, messageId))) return null;
  const loaded = (await loadMessages(db, driver, [messageId])).get(messageId);
  if (!loaded) return null;
  const ended = { ...loaded, environment, recipients: cancelWaiting(loaded.recipients, at) };
  const [final] = await finalizeMessages(context, driver, [ended], at, emit);
  return final ?? null;
}

/**
 * Cancels a message as `<channel>.message.cancel` does.
 * @param emit writes the event of a message that this call cancelled
 * @returns the cancelled message, also if it had been cancelled before
 * @throws not_found; message_not_cancellable if a worker has it, or it has ended
 */
export async function cancelOwned<M extends MessageFields>(
  context: Pick<Context<never, 'message_not_cancellable'>, 'db' | 'use' | 'clock' | 'fail' | 'audit' | 'deployment'> & {
    readonly caller: TenantCaller;
  },
  driver: MessageDriver<M>,
  table: OwnedTable<M>,
  messageId: string,
  emit: (message: M) => void,
): Promise<M> {
  const { db, clock, caller, fail, audit } = context;
  const get = `${driver.name}.message.get`;
  const before = await findMessage(context, table, messageId);
  const isClosed = caller.environment.closedAt !== null;
  const waits = (await waitingOf(db, driver, [before], isClosed)).get(before.id);
  const status = shownStatus(before.status, { isClosed, ...waits, isLeased: false });
  audit({
    subject: { type: 'message', id: before.id },
    summary: 'Cancelled a message.',
    changes: status === 'cancelled' ? [] : [{ field: 'status', from: status, to: 'cancelled' }],
    unchanged: 'the message was already cancelled.',
  });
  if (before.status === 'cancelled') return before;
  // A notice that waits for its turn would be cancelled by the key that it warns of.
  if (before.isSystem && isNotice(context, driver, before.template))
    throw fail.message_not_cancellable({ get, status: 'a notice of the service' });
  const cancelled = await cancelMessage(context, driver, before.id, caller.environment, clock.now(), ({ message }) => {
    // Some recipients received it in an earlier attempt, so it counts as sent.
    if (message.status !== 'cancelled')
      throw fail.message_not_cancellable({ get, status: 'sent to some of its recipients' });
    emit(message);
  });
  const message = cancelled ?? (await findMessage(context, table, before.id));
  if (message.status === 'cancelled') return message;
  throw fail.message_not_cancellable({ get, status: message.status === 'queued' ? 'sending' : message.status });
}

const isNotice = (
  { deployment }: Pick<Context, 'deployment'>,
  { name: channel }: Pick<MessageDriver<MessageFields>, 'name'>,
  template: string | null,
): boolean =>
  systemTemplatesOf(deployment).some(
    (each) => each.channel === channel && each.name === template && each.budget === 'notice',
  );
