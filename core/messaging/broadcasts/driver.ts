import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext, ReadContext } from '#core/kernel/context.js';
import type { ErrorCode } from '#core/kernel/errors/errors.js';
import type { EventName } from '#core/kernel/event.js';
import type { RawSql, Statement } from '#core/runtime/database/statement.js';
import type { MessageDriver } from '../driver.js';
import type { MessageFields } from '../tables.js';
import type { BroadcastRecipients, MessagingChannel } from './audience.js';
import type { BroadcastFields, BroadcastTables, SystemHold } from '../broadcast-tables.js';

/*
 * Broadcasts, shared by all channels (email, sms). A channel provides a `BroadcastDriver`; it gets a work queue
 * (`broadcastQueue`, work.ts) that creates the messages of a broadcast in batches and ends those of a cancelled one,
 * and the functions that its operations call (change-status.ts, counts.ts).
 *
 * Promises of every channel:
 * - Each batch commits together with its position: after a crash at any point, every contact has one message or none
 *   yet.
 * - The messages of a broadcast are a partition of the delivery queue. The broadcast's status decides whether they may
 *   be sent. Every worker reads it when it looks for work and again at each submission, so pausing and cancelling
 *   change one row.
 * - The counts change in the transaction that changes the messages, and always add up.
 */

/*
 * How the spending cap holds a broadcast (the cap itself: plugins/billing/cap/cap.ts):
 *
 * 1. Before the first message is made, the worker reserves the cost of all messages (`reservation`, then
 *    `ReserveCost`). `send` has done so already if the draft starts at once.
 * 2. Each batch is metered from the reservation (`meterMessages`).
 * 3. If reserving or metering would exceed the cap, the batch is rolled back and the broadcast is held with the reason
 *    `spending_cap` (`holdForCap` in work.ts), which returns what it had reserved.
 * 4. Raising the cap resumes nothing. `<channel>.broadcast.resume` continues the broadcast (`resumeBroadcast` in
 *    change-status.ts). Its next batch starts again at 1, with the cost of the messages that are not yet made.
 */

/** Reserves the prepared amount. @returns false if it would cross the account's cap: the caller holds the broadcast */
export type ReserveCost = (context: FullContext) => Promise<boolean>;

/** What a worker does with the account's spending cap. The port `metering` of billing implements it. */
interface BroadcastMetering {
  /**
   * Returns what a broadcast has reserved and not used: no more of its messages are created, or it is held because of
   * the cap.
   */
  returnReserved(broadcastId: string): Promise<void>;
  /** Notes, in the transaction that holds a broadcast for it, that the account's cap was reached. */
  noteReached(environment: Environment): Promise<void>;
}

/** How a channel makes the messages of its broadcasts. */
export interface BroadcastDriver<B extends BroadcastFields, M extends MessageFields> {
  /** Such as `email`: also names crash points and log lines. */
  readonly name: MessagingChannel;
  readonly driver: MessageDriver<M>;
  readonly tables: BroadcastTables<B>;
  readonly messageEvents: { readonly queued: EventName; readonly cancelled: EventName };

  /** The ports of other products that broadcasts are made with. */
  audience(context: Pick<ReadContext<ErrorCode>, 'use'>): BroadcastRecipients;
  metering(context: Pick<FullContext, 'use'>): BroadcastMetering;

  /** A message of a broadcast; the fields that differ between its messages are set by `selected`. */
  messageOf(broadcast: B, at: Date): M;
  /**
   * The fields that differ, as SQL over the recipient `r (contact_id, address)`; in addition to `id` and `contactId`.
   */
  readonly selected: Readonly<Partial<Record<keyof M & string, string>>>;
  /** The address of a stored message `m`, and the form in which it is compared, as SQL. */
  readonly address: string;
  readonly addressKey: string;
  /** The `data` of a message's event. */
  eventData(message: M): unknown;
  /** The fields of a message that differ in its event, each with its JSON text as SQL over the message `m`. */
  readonly eventFields: Readonly<Partial<Record<keyof M & string, { marker: M[keyof M]; json: string }>>>;

  /**
   * The amount of the account's cap to reserve before the next message is created, so that either all or none of the
   * broadcast's messages are created. Counting it may take seconds, so it is prepared before anything is locked.
   * @returns null if nothing must be reserved, or it is already reserved
   */
  reservation(context: ReadContext<ErrorCode>, environment: Environment, broadcast: B): Promise<ReserveCost | null>;
  /**
   * Meters the messages that a batch has just created, within the account's cap and from the reserved amount.
   * @param made WHERE and FROM clauses that select them as `m`
   * @returns false if they would cross the cap: the caller rolls the batch back and holds the broadcast
   */
  meterMessages(
    context: FullContext,
    environment: Environment,
    broadcast: B,
    made: Statement & { readonly count: number },
  ): Promise<boolean>;
  /**
   * Reverses the metering of messages that are cancelled with their broadcast.
   * @param ids for `IN (?)`; with how many were made on each day
   */
  reverseAllUsage(
    context: FullContext,
    environment: Environment,
    broadcast: B,
    ids: { readonly sql: RawSql; readonly days: readonly { readonly made: Date; readonly count: number }[] },
  ): Promise<void>;

  /**
   * Why a scheduled broadcast cannot start now that its time has come, other than because of the cap or its size; null
   * when it can.
   */
  startProblem(context: ReadContext<ErrorCode>, environment: Environment, broadcast: B): Promise<SystemHold | null>;
  /**
   * Why a broadcast that is being sent cannot continue, checked before each of its batches; null if it can. Absent if
   * it always can.
   */
  sendingProblem?(context: ReadContext<ErrorCode>, environment: Environment, broadcast: B): Promise<SystemHold | null>;
  /** Writes the event of a new status. */
  emitStatus(context: FullContext, event: 'paused' | 'resumed', broadcast: B, environment: Environment): Promise<void>;
  /**
   * Frees the references to what the broadcast uses: topic, segment, template, domain. Called once, when no messages
   * are left to create.
   */
  freeReferences(context: Pick<FullContext, 'db' | 'use'>, broadcastId: string): Promise<void>;
}
