import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext, ReadContext } from '#core/kernel/context.js';
import type { ErrorCode } from '#core/kernel/errors/errors.js';
import type { EventName } from '#core/kernel/event.js';
import type { RawSql } from '#core/runtime/database/session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import type { Channel } from '../channel.js';
import type { MessageFields } from '../tables.js';
import type { BroadcastRecipients, MessagingChannel } from './audience.js';
import type { BroadcastFields, BroadcastTables, HoldReason } from '../broadcast-tables.js';

/*
 * Broadcasts, shared by all channels (email, sms). A channel provides a `BroadcastChannel`; it gets a work queue (`broadcastQueue`, work.ts)
 * that makes the messages of a broadcast in steps and ends those of a cancelled one, and the functions that its operations call
 * (change-status.ts, counts.ts).
 *
 * Promises that hold for every channel:
 * - Each step commits with the position it has come to: after a crash at any point every contact has one message or none yet.
 * - The messages of a broadcast are a partition of the delivery queue. Whether they may leave is the broadcast's status, read by every
 *   worker when it looks for work and again at each hand-over; so pausing and cancelling change one row.
 * - The counts change in the transaction that changes the messages, and always add up.
 */

/** Reserves what was prepared. @returns false where it would cross the account's cap: the caller holds the broadcast */
export type Reserving = (context: FullContext) => Promise<boolean>;

/**
 * What broadcasts do with the account's spending cap, whatever their messages cost. The ports of the billing product do
 * it.
 */
export interface BroadcastMetering {
  /**
   * Returns what a broadcast has reserved and not used: nothing more is made of it, or it is held because of the cap.
   */
  returnReserved(broadcastId: string): Promise<void>;
  /** Notes, in the transaction that holds a broadcast for it, that the account's cap was reached. */
  noteReached(environment: Environment): Promise<void>;
}

/** How a channel makes the messages of its broadcasts. */
export interface BroadcastChannel<B extends BroadcastFields, M extends MessageFields> {
  /** Such as `email`: also names crash points and log lines. */
  readonly name: MessagingChannel;
  readonly channel: Channel<M>;
  readonly tables: BroadcastTables<B>;
  readonly messageEvents: { readonly queued: EventName; readonly cancelled: EventName };

  /** The ports of other products that broadcasts are made with. */
  audience(context: Pick<ReadContext<ErrorCode>, 'use'>): BroadcastRecipients;
  metering(context: Pick<FullContext, 'use'>): BroadcastMetering;

  /** A message of a broadcast; what differs between its messages is set by `selected`. */
  messageOf(broadcast: B, at: Date): M;
  /** The fields that differ, as SQL over the recipient `r (contact_id, address)`; beside `id` and `contactId`. */
  readonly selected: Readonly<Partial<Record<keyof M & string, string>>>;
  /** The address of a stored message `m`, and the form in which it is compared, as SQL. */
  readonly address: string;
  readonly addressKey: string;
  /** The `data` of a message's event. */
  eventData(message: M): unknown;
  /** The fields of a message that differ in its event, each with its JSON text as SQL over the message `m`. */
  readonly eventFields: Readonly<Partial<Record<keyof M & string, { marker: M[keyof M]; json: string }>>>;

  /**
   * What must be reserved of the account's cap before the next message is made, so that the broadcast is made whole or
   * not at all. Counting it may take seconds, so it is prepared before anything is locked.
   * @returns null where nothing must be, or it is reserved already
   */
  reservation(context: ReadContext<ErrorCode>, environment: Environment, broadcast: B): Promise<Reserving | null>;
  /**
   * Meters the messages of a step that were just made, within the account's cap and from what was reserved.
   * @param made FROM and WHERE that select them as `m`
   * @returns false where they would cross the cap: the caller rolls the step back and holds the broadcast
   */
  meterStep(
    context: FullContext,
    environment: Environment,
    broadcast: B,
    made: Statement & { readonly count: number },
  ): Promise<boolean>;
  /**
   * Gives back what was metered for messages that are cancelled with their broadcast.
   * @param ids for `IN (?)`; with how many were made on each day
   */
  giveBackAll(
    context: FullContext,
    environment: Environment,
    broadcast: B,
    ids: { readonly sql: RawSql; readonly days: readonly { readonly made: Date; readonly count: number }[] },
  ): Promise<void>;

  /**
   * Why a scheduled broadcast cannot start now that its time has come, other than because of the cap or its size; null
   * when it can.
   */
  startProblem(context: ReadContext<ErrorCode>, environment: Environment, broadcast: B): Promise<HoldReason | null>;
  /**
   * Why a broadcast that is being sent cannot go on, asked before each of its steps; null when it can. Absent where it
   * always can.
   */
  sendingProblem?(context: ReadContext<ErrorCode>, environment: Environment, broadcast: B): Promise<HoldReason | null>;
  /** Writes the event of a new status. */
  emitStatus(context: FullContext, event: 'paused' | 'resumed', broadcast: B, environment: Environment): Promise<void>;
  /**
   * Frees what the broadcast uses: topic, segment, template, domain. Called once, when nothing of it is left to make.
   */
  release(context: Pick<FullContext, 'db' | 'use'>, broadcastId: string): Promise<void>;
}
