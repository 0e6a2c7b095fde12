import type { Environment } from '#core/kernel/caller/caller.js';
import { shareOf, type Deployment } from '#core/kernel/deployment.js';
import type { Context, FullContext, Reading } from '#core/kernel/context.js';
import type { ErasedPerson } from '#core/kernel/person.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import type { Lane, QueueRef } from '#core/runtime/work/queue.js';
import type { BlockedBy } from './blocked.js';
import type { ChannelTables, FinalStatus, MessageFields, Outcome, RecipientRow } from './tables.js';

/*
 * The life of a message, shared by all channels (email, sms). This folder owns no tables and knows no protocol.
 *
 *   accept      store and queue a message and recipients in the call's transaction  accept.ts
 *   load        read queued messages, many at once, as a worker claims them         load.ts
 *   recheck     check eligibility again, shortly before it is submitted             recheck.ts, prepare.ts
 *   deliver     submit it, once: the channel's transport                            DeliveryDriver.deliver
 *   record      write outcomes of many messages in one transaction, while leased    record.ts
 *   finalize    write the final status of message and recipients, and its event     finalize.ts
 *   redact      remove an erased person from messages                               redact.ts, erase.ts
 *   forget      delete contents, then messages, that ended long ago                 content-retention.ts,
 *                                                                               message-retention.ts
 *
 * A channel provides a `MessageDriver` (tables, queue, events, redaction) and a `DeliveryDriver` (transport,
 * eligibility, contents). In return it gets a work queue (`deliveryQueue`) and an eraser (`messageEraser`), and calls
 * `storeMessages` to accept and `cancelMessage` to cancel.
 *
 * Promises of every channel:
 * - An opt-out that committed before the last check began is respected. A check is reused for 5 ms after it began
 *   (100 ms for bulk); otherwise a new one is made, which began at most 1 s before the submission (prepare.ts).
 * - Delivery is at least once. A repeat after a crash has the same message id and content, and happens only to messages
 *   that were being submitted.
 * - One environment's stalled messages do not delay other environments or other lanes (stalls.ts).
 */

/** The purpose of a message, which decides who may get it. */
export interface Purpose {
  readonly topic: string | null;
  readonly isSystem: boolean;
  /**
   * It answers a text that the recipient has just sent, including STOP: an opt-out does not stop its own confirmation.
   */
  readonly isAnswer?: boolean;
}

/** Whether one address may be sent a message. */
export interface RecipientEligibility {
  readonly address: string;
  readonly contactId: string | null;
  /** Null when the message may be sent. */
  readonly blockReason: string | null;
  /** The rule and the record that stop it; null if the message may be sent, or if the channel itself stops it. */
  readonly blockedBy: BlockedBy | null;
  /** The contact's preferences page, for messages under a topic; else null. */
  readonly preferencesUrl: string | null;
}

/** A message that is about to leave. */
export interface Delivery<M, C> {
  readonly message: M;
  readonly environment: Environment;
  /** Undefined if the content is gone: nothing can be sent. */
  readonly content: C | undefined;
  /** The recipients that are still to be reached, at least one. */
  readonly recipients: readonly Pick<RecipientRow, 'address' | 'position'>[];
  /** Counts from 1. */
  readonly attempt: number;
  /**
   * Until when it may be submitted, by performance.now(): its lease is certain until then. A process that was suspended
   * continues where it stood, when another one may have submitted the message.
   */
  readonly submitBy: number;
  /** See RecipientEligibility. */
  readonly preferencesUrl: string | null;
}

/** Messages of a broadcast that leave one after another, in their first attempt. */
export interface DeliveryRun<M, C> {
  /** Takes the next message, perhaps before the one before it is answered. @returns undefined if none may leave now */
  next(): Delivery<M, C> | undefined;
  /** Whether a message that was taken may still leave. Called right before parts of it are sent. */
  isCurrent(): boolean;
  /** Called once for each message that was taken. @param report null if it was no longer current, and was not sent */
  answered(delivery: Delivery<M, C>, report: DeliveryReport<M> | null): void;
}

/** The outcome of one attempt for one address. */
export interface RecipientReport {
  readonly address: string;
  /** temporary: worth another attempt; permanent: another attempt would end the same way. */
  readonly outcome: 'sent' | 'temporary' | 'permanent';
  /** The server's reply code, null when it gave none. */
  readonly code: number | null;
  readonly response: string;
  /** See recipientColumns; absent when the server named none. */
  readonly providerId?: string | null;
}

export interface DeliveryReport<M = never> {
  readonly durationMs: number;
  /** The message as submitted, if submission set some of the fields, such as a subject rendered for the recipient. */
  readonly message?: M;
  /** One for each recipient, in order. */
  readonly recipients: readonly RecipientReport[];
}

/** A message as it was loaded, with all its recipients in order. */
export interface LoadedMessage<M> {
  readonly message: M;
  readonly recipients: readonly RecipientRow[];
}

/** A message that an attempt was made for. */
export interface Attempted<M> extends LoadedMessage<M> {
  readonly environment: Environment;
  readonly attempt: number;
  readonly retryAt: Date | null;
}

/** A message that has reached its final status. */
export interface StatusChange<M> {
  readonly message: M & { status: FinalStatus };
  /** Names the event: a message is `sent` also if it has bounced for all recipients that it was sent to. */
  readonly outcome: Outcome;
  /** The addresses that were left out. */
  readonly suppressed: readonly string[];
  /** The addresses whose server refused it, or for which it was cancelled. */
  readonly failed: readonly string[];
  readonly environment: Environment;
}

/** How a channel stores its messages, as accepting, cancelling and erasing need to know. */
export interface MessageDriver<M extends MessageFields> {
  /** The channel. It also names crash points and log lines. */
  readonly name: string;
  readonly tables: ChannelTables<M>;
  readonly queue: QueueRef;
  /** See chunks.ts; absent if messages of broadcasts have a queue row each. */
  readonly chunks?: QueueRef;
  /** An address in the form it is compared in. */
  keyOf(address: string): string;
  /** The keys of all forms of an address under which messages to it may be stored. */
  keysOf(address: string): readonly string[];
  /**
   * Writes the event of a new status. @param activityId the audit record that the event refers to; the transaction's
   * record by default
   */
  emit(context: FullContext, change: StatusChange<M>, activityId?: string | null): void;
  readonly redaction: Redaction<M>;
  /**
   * Stores data that must outlast messages that are about to be deleted because of their age (message-retention.ts).
   */
  readonly beforeRemoval?: (db: Session, ids: readonly Buffer[]) => Promise<void>;
  /** SQL: the assignments that remove a message's content from its row, as retention does (content-retention.ts). */
  readonly withoutContent: string;
  /**
   * SQL: whether an attempt of the message `m`, with the queue row `work`, may have reached somebody although its
   * answer was lost (DeliveryDriver.settle). Such messages are not cancelled with their broadcast before that is known.
   */
  readonly unsettled?: string;
  /**
   * Reverses the metering of messages of one environment that have ended without being submitted: suppressed,
   * cancelled or failed. Called in the transaction that ends them.
   */
  reverseUsage(context: Pick<Context, 'use'>, environment: Environment, messages: readonly M[]): Promise<void>;
}

/** How a channel delivers its messages. `C` is the content of a message. */
export interface DeliveryDriver<M extends MessageFields, C> extends MessageDriver<M> {
  readonly limits: DeliveryLimits;

  /**
   * Checks which addresses may get a message now. Called with the recipients of many messages at once.
   * @returns one result per address, in order
   */
  checkEligibility(
    context: Reading,
    environment: Environment,
    purpose: Purpose,
    addresses: readonly string[],
  ): Promise<readonly RecipientEligibility[]>;

  /** See Purpose; absent in channels that do not answer. */
  isAnswer?(message: M): boolean;

  /**
   * Reads the contents of messages, many at once, or renders them. Large parts (attachments) are read by `deliver`, so
   * that they are in memory only while their message leaves.
   * @returns by content id, or by message id if each message has its own; contents that are gone are absent
   */
  loadContents(messages: readonly M[]): Promise<ReadonlyMap<string, C>>;

  /**
   * Called with rendered messages before they are checked for the last time, many at once. It stores what must be known
   * about an attempt whose outcome is not recorded because the process dies.
   */
  beforeAttempt?(attempts: readonly Pick<Delivery<M, C>, 'message' | 'content' | 'attempt'>[]): Promise<void>;

  /**
   * Submits a message, once.
   * @returns failures too. It throws only for svc's own errors, which count as temporary failures
   */
  deliver(delivery: Delivery<M, C>): Promise<DeliveryReport<M>>;

  /**
   * Reads or renders the contents of messages of one broadcast, in the form in which they are submitted, as many as
   * leave together. Absent if that is what `loadContents` does.
   */
  composeMany?(environment: Environment, messages: readonly M[]): Promise<ReadonlyMap<string, C>>;

  /**
   * Submits messages one after another, as `deliver` does with one. It may end before the messages do. Absent if
   * nothing is gained by it.
   */
  deliverEach?(environment: Environment, run: DeliveryRun<M, C>): Promise<void>;

  /**
   * Called with a message that was tried before and must no longer be sent (an opt-out, a cancelled broadcast), before
   * that is recorded: an attempt whose answer was lost may have reached somebody anyway.
   * @returns the report of that attempt, which is recorded instead; a temporary failure if it is not yet known; null if
   *   nothing was sent
   */
  settle?(delivery: Omit<Delivery<M, C>, 'preferencesUrl' | 'submitBy'>): Promise<DeliveryReport<M> | null>;

  /** The fields of messages that delivery attempts set (DeliveryReport.message). */
  readonly renderedFields?: readonly (keyof M & string)[];

  /**
   * Called before a message is rechecked, for channels that limit how fast messages leave. It may wait a moment.
   * @param waiting the addresses that are still to be reached
   * @returns when the message may leave, if that is later: it goes back to the queue until then; undefined for now
   */
  readonly sendableFrom?: (message: M, waiting: readonly string[], lane: Lane) => Promise<Date | undefined>;

  /** Whether a limit applies to a message, so that `sendableFrom` must be called. Absent if it always must. */
  readonly isPaced?: (waiting: readonly string[]) => boolean;

  /**
   * Called with the messages that have ended, in the transaction that records it, after their status and events were
   * written.
   */
  afterEnd?(
    context: FullContext,
    ended: readonly (LoadedMessage<M> & { readonly environment: Environment })[],
  ): Promise<void>;

  /**
   * Called with the messages that an attempt was recorded for, in the same transaction: also those that wait for
   * another attempt for some recipients.
   * @param attempted `recipients` are those that this attempt was for, with its answers; `attempt` counts from 1;
   *   `retryAt` is null if the message has ended
   */
  afterAttempt?(context: FullContext, attempted: readonly Attempted<M>[]): Promise<void>;

  /**
   * When to try again after a temporary failure; null when it has failed.
   * @param since when the message was due, or delivery of it was first tried, or went on after it was held: the latest
   *   of them
   */
  retryAt(attempt: number, since: Date, now: Date, message: M): Date | null;
}

/** The concurrency limits of delivery. */
export interface DeliveryLimits {
  /** Messages of one lane. */
  readonly concurrency: number;
  /** Messages of one account and lane; below `concurrency`, so that one account leaves slots to the others. */
  readonly perAccount: number;
  /**
   * The number of bulk messages of an account while it is the only one that has any. It is below `concurrency`, so
   * that the first messages of another account find a free slot immediately.
   */
  readonly alone: number;
  /** A delivery attempt that takes longer gives its slot to another message. */
  readonly stalledAfterMs: number;
  /** Stalled delivery attempts without a slot, at most. */
  readonly mostStalled: number;
}

/**
 * Divides the limits of a machine among its processes, so that a mail server or provider sees about as many connections
 * as from one process: each share is rounded up.
 * @param processes see Deployment.processes
 */
export function dividedLimits(ofMachine: DeliveryLimits, processes: Deployment['processes']): DeliveryLimits {
  const { concurrency, perAccount, alone, stalledAfterMs, mostStalled } = ofMachine;
  const share = (limit: number): number => shareOf(limit, processes);
  return {
    concurrency: share(concurrency),
    perAccount: share(perAccount),
    alone: share(alone),
    stalledAfterMs,
    mostStalled: share(mostStalled),
  };
}

/** How a channel removes an erased person from its messages. */
interface Redaction<M> {
  /** The person's address on this channel; null when there is none. */
  addressOf(person: ErasedPerson): string | null;
  /** The message without the person. @param isTheirs whether an address is the person's */
  redact(message: M, isTheirs: (address: string) => boolean): M;
  /**
   * The statement that stores what redaction changes in a message, `contentId`, `tags`, `contactId` and `personId`
   * included.
   */
  update(message: M): Statement;
}

/** The person that events about a message refer to. */
export function aboutPerson({ contactId, personId }: Pick<MessageFields, 'contactId' | 'personId'>): {
  personId?: string;
} {
  const person = contactId ?? personId;
  return person === null ? {} : { personId: person };
}
