import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { groupBy } from '#core/messaging/group-by.js';
import { metering, type Usage } from '#plugins/billing/ports.js';
import type { MessageRow } from '../tables/message.js';

type Metered = Pick<MessageRow, 'id' | 'broadcastId' | 'isSystem' | 'template'>;

/** Mails about invoices and the cap are free: an account that owes nothing else would be charged for being reminded. */
const isFree = ({ isSystem, template }: Metered): boolean => isSystem && template?.startsWith('billing.') === true;

/** What messages are metered as: each message is one unit, however many recipients it has. */
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

/** What the messages of a broadcast are metered as. */
export const broadcastUsage = (broadcastId: string, quantity: number): Usage[] => [
  usageOf(broadcastId, broadcastId, quantity),
];

/** What new messages are metered as. Those that are suppressed at once are not. */
export const newUsage = (messages: readonly (Metered & Pick<MessageRow, 'status'>)[]): Usage[] =>
  usagesOf(messages.filter(({ status }) => status === 'queued'));

/**
 * Gives back what was metered for messages that were not handed over: of those of a broadcast, by the month in which
 * they were made.
 */
export const giveBack = (
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
