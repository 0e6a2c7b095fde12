import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { idList } from '#core/runtime/database/literal.js';
import { idBytes } from '#core/runtime/id.js';
import { countStatements } from './broadcast-counts.js';
import type { MessageDriver, LoadedMessage, StatusChange } from './driver.js';
import { groupBy, groupByValues } from './group-by.js';
import { failedOf, suppressedOf } from './load.js';
import { renderedAssignments } from './rendered.js';
import { countMoves } from './stats/count.js';
import type { ChannelTables, FinalStatus, MessageFields, Outcome, RecipientRow } from './tables.js';

/** A message whose recipients have all ended. */
interface EndedMessage<M> extends LoadedMessage<M> {
  readonly environment: Environment;
  /** The message as it was accepted, if redaction has changed it since: counting and metering used these values. */
  readonly before?: M;
  /** Whether the delivery attempt has set fields of the message (DeliveryDriver.renderedFields). */
  readonly isRendered?: boolean;
}

/** See DeliveryDriver. */
interface Rendering<M> {
  readonly renderedFields?: readonly (keyof M & string)[];
}

/**
 * The first that applies: `sent` if any recipient was sent it, `cancelled` if any was cancelled, `failed` if any was
 * refused, otherwise `suppressed`.
 */
export function outcomeOf(recipients: readonly RecipientRow[]): Outcome {
  const has = (wanted: RecipientRow['status']): boolean => recipients.some(({ status }) => status === wanted);
  return has('sent') || has('bounced')
    ? 'sent'
    : has('cancelled')
      ? 'cancelled'
      : has('failed')
        ? 'failed'
        : 'suppressed';
}

/** A message that was sent is `bounced` if it has bounced for all recipients that it was sent to. */
function finalStatus(recipients: readonly RecipientRow[]): FinalStatus {
  const outcome = outcomeOf(recipients);
  return outcome === 'sent' && recipients.every(({ status }) => status !== 'sent') ? 'bounced' : outcome;
}

/** The recipients after the waiting ones were cancelled. */
export const cancelWaiting = (recipients: readonly RecipientRow[], at: Date): RecipientRow[] =>
  recipients.map((each) => (each.status === 'queued' ? { ...each, status: 'cancelled', endedAt: at } : each));

/**
 * Ends messages: writes the final status of messages and recipients, emits the events, and reverses the metering of
 * messages that were not submitted. Every message ends here. The caller must remove the queue rows.
 * @param at now: recipients that ended at this time are written
 * @returns the messages with their final status
 */
export async function finalizeMessages<M extends MessageFields>(
  context: Pick<Context, 'db' | 'use'>,
  { tables, reverseUsage, renderedFields = [] }: Pick<MessageDriver<M>, 'tables' | 'reverseUsage'> & Rendering<M>,
  ended: readonly EndedMessage<M>[],
  at: Date,
  emit: (change: StatusChange<M>) => void,
): Promise<M[]> {
  if (ended.length === 0) return [];
  const changes = ended.map(({ message, recipients, environment }): StatusChange<M> => {
    const outcome = outcomeOf(recipients);
    const status = finalStatus(recipients);
    const final = {
      ...message,
      status,
      endedAt: at,
      sentAt: outcome === 'sent' ? firstSentAt(recipients) : null,
      blockedReason: status === 'suppressed' ? message.blockedReason : null,
      blockedBy: status === 'suppressed' ? message.blockedBy : null,
    };
    return { message: final, outcome, suppressed: suppressedOf(recipients), failed: failedOf(recipients), environment };
  });
  const messages = changes.map(({ message }) => message);
  await context.db.defer(
    joined([
      ...recipientStatements(
        tables,
        ended.flatMap(({ recipients }) => recipients.filter(({ endedAt }) => endedAt?.getTime() === at.getTime())),
      ),
      ...statusStatements(
        tables,
        messages.filter((_, index) => ended[index]?.isRendered !== true),
        [],
      ),
      ...statusStatements(
        tables,
        messages.filter((_, index) => ended[index]?.isRendered === true),
        renderedFields,
      ),
      ...systemContentStatements(tables, messages),
      ...countMoves(
        tables.stats,
        ended.map(({ message, recipients, before = message }) => ({
          message: before,
          from: 'queued',
          to: finalStatus(recipients),
        })),
      ),
      ...broadcastStatements(tables, messages, at),
    ]),
  );
  await reverseUnsent(context, reverseUsage, ended);
  changes.forEach(emit);
  return messages;
}

async function reverseUnsent<M extends MessageFields>(
  context: Pick<Context, 'use'>,
  reverseUsage: MessageDriver<M>['reverseUsage'],
  ended: readonly EndedMessage<M>[],
): Promise<void> {
  const unsent = ended.filter(({ recipients }) => outcomeOf(recipients) !== 'sent');
  for (const group of groupBy(unsent, ({ environment }) => environment.id)) {
    const [first] = group;
    if (first)
      await reverseUsage(
        context,
        first.environment,
        group.map(({ message, before = message }) => before),
      );
  }
}

const firstSentAt = (recipients: readonly RecipientRow[]): Date | null =>
  recipients
    .flatMap(({ status, endedAt }) => ((status === 'sent' || status === 'bounced') && endedAt ? [endedAt] : []))
    .reduce<Date | null>((first, each) => (first && first <= each ? first : each), null);

/** Writes the final status of recipients, or the server's answer for them. */
export const recipientStatements = (
  { recipients }: Pick<ChannelTables<MessageFields>, 'recipients'>,
  rows: readonly RecipientRow[],
): Statement[] =>
  rows.length === 0 ? [] : [recipients.upsertRows(rows, ['status', 'code', 'response', 'providerId', 'endedAt'])];

/** One statement for all messages of which the same is written. */
function statusStatements<M extends MessageFields>(
  tables: ChannelTables<M>,
  ended: readonly M[],
  renderedFields: readonly (keyof M & string)[],
): Statement[] {
  const alike = groupByValues(ended, ({ status, sentAt, endedAt, blockedReason, blockedBy }) => [
    Buffer.from(status),
    sentAt,
    endedAt,
    blockedReason === null ? null : Buffer.from(blockedReason),
    blockedBy === null ? null : JSON.stringify(blockedBy),
  ]);
  return alike.map(({ values, items }) => {
    const rendered = renderedAssignments(tables, renderedFields, items);
    return {
      sql: `UPDATE ${tables.messages.tableName} SET ${rendered === '' ? '' : '?, '}status = ?, sent_at = ?, ended_at = ?, blocked_reason = ?, blocked_by = ? WHERE id IN (?)`,
      parameters: [
        ...(rendered === '' ? [] : [{ toSqlString: () => rendered }]),
        ...values,
        idList(items.map(({ id }) => id)),
      ],
    };
  });
}

/** Counts messages that ended for their broadcasts. */
function broadcastStatements<M extends MessageFields>(
  { broadcasts }: ChannelTables<M>,
  ended: readonly (M & { status: FinalStatus })[],
  at: Date,
): Statement[] {
  if (!broadcasts) return [];
  const counted = ended.flatMap(({ broadcastId, status }) => (broadcastId === null ? [] : [{ broadcastId, status }]));
  const alike = groupBy(counted, ({ broadcastId, status }) => `${broadcastId} ${status}`);
  const counts = alike.flatMap((group) => group.slice(0, 1).map((first) => ({ ...first, count: group.length })));
  return countStatements(broadcasts, counts, at);
}

/** A system message may hold a code or a link: its content is deleted when it ends. It is never shared. */
function systemContentStatements<M extends MessageFields>(
  { contents }: ChannelTables<M>,
  ended: readonly M[],
): Statement[] {
  const ids = ended.flatMap(({ isSystem, contentId }) => (isSystem && contentId !== null ? [idBytes(contentId)] : []));
  if (ids.length === 0) return [];
  return contents.map(({ table, key }) => ({ sql: `DELETE FROM ${table} WHERE ${key} IN (?)`, parameters: [ids] }));
}
