import type { Context } from '#core/kernel/context.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { enqueueStatement, type Lane } from '#core/runtime/work/queue.js';
import type { Channel, RecipientEligibility } from './channel.js';
import { dueAt } from './due.js';
import { countMoves } from './stats/count.js';
import type { MessageFields, RecipientRow } from './tables.js';

/** What the recipients' eligibility decides about a new message. */
export interface Decision {
  status: 'queued' | 'suppressed';
  blockedReason: string | null;
  contactId: string | null;
  sentAt: null;
  endedAt: Date | null;
}

/** A message is queued when at least one of its recipients may get it. @param eligibility at least one recipient's */
export function decide(eligibility: readonly RecipientEligibility[], now: Date): Decision {
  const blocked = eligibility.every(({ blockReason }) => blockReason !== null);
  const [first] = eligibility;
  return {
    status: blocked ? 'suppressed' : 'queued',
    blockedReason: blocked ? (first?.blockReason ?? null) : null,
    contactId: eligibility.length === 1 ? (first?.contactId ?? null) : null,
    sentAt: null,
    endedAt: blocked ? now : null,
  };
}

/** A message to store. */
export interface NewMessage<M> {
  readonly message: M;
  /** One per recipient, in the recipients' order. */
  readonly eligibility: readonly RecipientEligibility[];
}

/**
 * Stores messages and their recipients, and queues those that are not suppressed, all in the caller's next round trip.
 * @param options.rows the channel's further rows: contents, tags
 */
export async function storeMessages<M extends MessageFields>(
  { db, wake, clock }: Pick<Context, 'db' | 'wake' | 'clock'>,
  { tables, queue, keyOf }: Pick<Channel<M>, 'tables' | 'queue' | 'keyOf'>,
  accepted: readonly NewMessage<M>[],
  options: { lane: Lane; rows: readonly Statement[] },
): Promise<void> {
  const queued = accepted.map(({ message }) => message).filter(({ status }) => status === 'queued');
  const work = queued.map((message) => ({
    id: message.id,
    partitionId: message.environmentId,
    lane: options.lane,
    dueAt: dueAt(message),
  }));
  const { sql, parameters } = joined([
    tables.messages.insertRows(accepted.map(({ message }) => message)),
    tables.recipients.insertRows(accepted.flatMap((each) => newRecipients(each, keyOf))),
    ...options.rows,
    ...countMoves(
      tables.stats,
      accepted.map(({ message }) => ({ message, from: null, to: message.status })),
    ),
    ...(work.length > 0 ? [enqueueStatement(queue, work)] : []),
  ]);
  await db.defer(sql, parameters);
  if (work.some((each) => each.dueAt <= clock.now())) wake(queue.name);
}

const newRecipients = <M extends MessageFields>(
  { message, eligibility }: NewMessage<M>,
  keyOf: (address: string) => string,
): RecipientRow[] =>
  eligibility.map(({ address, blockReason }, position) => ({
    messageId: message.id,
    position,
    environmentId: message.environmentId,
    address,
    addressKey: keyOf(address),
    status: blockReason === null ? 'queued' : 'suppressed',
    code: null,
    response: null,
    providerId: null,
    endedAt: blockReason === null ? null : message.createdAt,
  }));
