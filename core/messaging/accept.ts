import type { Context } from '#core/kernel/context.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { enqueueStatement, type Lane } from '#core/runtime/work/queue.js';
import type { BlockedBy } from './blocked.js';
import type { MessageDriver, RecipientEligibility } from './driver.js';
import { dueAt } from './due.js';
import { countMoves } from './stats/count.js';
import type { MessageFields, RecipientRow } from './tables.js';

/** The effect of the recipients' eligibility on a new message. */
interface AcceptedState {
  status: 'queued' | 'suppressed';
  blockedReason: string | null;
  blockedBy: BlockedBy | null;
  contactId: string | null;
  sentAt: null;
  endedAt: Date | null;
}

/** A message is queued if at least one of its recipients may receive it. @param eligibility at least one recipient's */
function stateAtAcceptance(eligibility: readonly RecipientEligibility[], now: Date): AcceptedState {
  const blocked = eligibility.every(({ blockReason }) => blockReason !== null);
  const [first] = eligibility;
  return {
    status: blocked ? 'suppressed' : 'queued',
    blockedReason: blocked ? (first?.blockReason ?? null) : null,
    blockedBy: blocked ? (first?.blockedBy ?? null) : null,
    contactId: eligibility.length === 1 ? (first?.contactId ?? null) : null,
    sentAt: null,
    endedAt: blocked ? now : null,
  };
}

/** The facts about an accepted message, on every channel. */
export interface MessageFacts {
  readonly environment: { readonly id: string };
  /** Sent by the service itself on the project's behalf. */
  readonly isSystem: boolean;
  /** The template it was made from; null without one. System messages that no override replaces have no version. */
  readonly template: { readonly name: string; readonly version: number | null; readonly locale: string | null } | null;
  /** The automation's run that it is a step of. */
  readonly automation?: { readonly id: string; readonly runId: string };
  readonly tags: Readonly<Record<string, string>>;
  readonly topic: string | null;
  /** The user that a system message is about. */
  readonly personId: string | null;
  readonly sendAfter: Date | null;
}

/** The row of a new message, except for its channel's own fields. */
export function acceptedMessage(
  { startedBy }: Pick<Context, 'startedBy'>,
  { id, now }: { id: string; now: Date },
  facts: MessageFacts,
  eligibility: readonly RecipientEligibility[],
): MessageFields {
  const { isSystem, template, automation } = facts;
  const state = stateAtAcceptance(eligibility, now);
  return {
    id,
    environmentId: facts.environment.id,
    // The content of suppressed system messages is not stored: it is never sent, and never readable.
    contentId: isSystem && state.status !== 'queued' ? null : id,
    isSystem,
    template: template?.name ?? null,
    templateVersion: template?.version ?? null,
    templateLocale: template?.locale ?? null,
    broadcastId: null,
    automationId: automation?.id ?? null,
    automationRunId: automation?.runId ?? null,
    tags: { ...facts.tags },
    topic: facts.topic,
    personId: facts.personId,
    activityId: startedBy(),
    sendAfter: facts.sendAfter,
    createdAt: now,
    contentRemovedAt: null,
    ...state,
  };
}

/** A message to store. */
interface NewMessage<M> {
  readonly message: M;
  /** One per recipient, in the recipients' order. */
  readonly eligibility: readonly RecipientEligibility[];
}

/**
 * Stores messages and their recipients, and queues those that are not suppressed, all in the caller's next round trip.
 * @param options.rows the channel's additional rows: contents, tags
 */
export async function storeMessages<M extends MessageFields>(
  { db, wake, clock }: Pick<Context, 'db' | 'wake' | 'clock'>,
  { tables, queue, keyOf }: Pick<MessageDriver<M>, 'tables' | 'queue' | 'keyOf'>,
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
  await db.defer(
    joined([
      tables.messages.insertRows(accepted.map(({ message }) => message)),
      tables.recipients.insertRows(accepted.flatMap((each) => newRecipients(each, keyOf))),
      ...options.rows,
      ...countMoves(
        tables.stats,
        accepted.map(({ message }) => ({ message, from: null, to: message.status })),
      ),
      ...(work.length > 0 ? [enqueueStatement(queue, work)] : []),
    ]),
  );
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
