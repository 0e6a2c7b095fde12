import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { groupBy } from '#core/messaging/group-by.js';
import { metering, type Usage } from '#plugins/billing/ports.js';
import type { MessageRow } from '../tables/message.js';

type Metered = Pick<MessageRow, 'id' | 'broadcastId' | 'isSystem' | 'template'>;

/**
 * Mails about invoices and the cap are free: otherwise an account that owes nothing else would be charged for the
 * reminder.
 */
const isFree = ({ isSystem, template }: Metered): boolean => isSystem && template?.startsWith('billing.') === true;

/** The metering of messages: each message is one unit, no matter how many recipients it has. */
const usagesOf = (messages: readonly Metered[]): Usage[] =>
  groupBy(
    messages
      .filter((message) => !isFree(message))
      .map(({ id, broadcastId }) => ({ sourceId: broadcastId ?? id, broadcastId })),
    ({ sourceId }) => sourceId,
  ).flatMap((group) =>
    group.slice(0, 1).map(({ broadcastId, sourceId }) => usageOf(broadcastId, sourceId, group.length)),
  );

const usageOf = (broadcastId: string | null, sourceId: string, quantity: number): Usage => ({
  meter: broadcastId === null ? 'email.message' : 'email.broadcast_message',
  quantity,
  country: null,
  sourceId,
});

/** The metering of the messages of a broadcast. */
export const broadcastUsage = (broadcastId: string, quantity: number): Usage[] => [
  usageOf(broadcastId, broadcastId, quantity),
];

/** The metering of new messages. Messages that are suppressed immediately are not metered. */
export const newUsage = (messages: readonly (Metered & Pick<MessageRow, 'status'>)[]): Usage[] =>
  usagesOf(messages.filter(({ status }) => status === 'queued'));

/**
 * Reverses the metering of messages that were not submitted; for messages of a broadcast, by the month in which they
 * were created.
 */
export const reverseUsage = (
  { use }: Pick<Context, 'use'>,
  environment: Environment,
  messages: readonly (Metered & Pick<MessageRow, 'createdAt'>)[],
): Promise<void> =>
  use(metering).reverse(
    environment,
    groupBy(messages, ({ createdAt }) => createdAt.toISOString().slice(0, 7)).flatMap((group) =>
      usagesOf(group).map((usage) => ({ ...usage, recordedAt: group[0]?.createdAt })),
    ),
  );
