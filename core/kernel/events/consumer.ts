import type { Session } from '#core/runtime/database/session.js';
import type { Lane } from '#core/runtime/work/queue.js';
import type { FullContext } from '../context.js';

/** A committed event, as passed to consumers. */
export interface ConsumedEvent {
  readonly id: string;
  readonly environmentId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly lane: Lane;
  /** The subject of the event: the declared kind and the id. */
  readonly subject: { readonly type: string; readonly id: string };
  /** The person the event is about (a contact, a user), if any. */
  readonly personId: string | null;
  /** The audit record of the call that caused the event, if any. Pass it to events that the consumer emits. */
  readonly activityId: string | null;
  /**
   * The event's data, for a consumer `withData`; undefined for others. It is read when the consumer receives the event.
   * The data of a person who has since been erased is gone, so any field may be missing.
   */
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/** A part of a product that processes committed events: webhook deliveries, counters, triggers. */
export interface EventConsumer {
  /** Unique in the deployment. Never change it: batches are stored under this name. */
  readonly name: string;
  /** The event types it handles. Default: all. */
  readonly types?: readonly string[];
  /** Whether its events include their `data`. Unused data is not read. */
  readonly withData?: true;
  /** Something leaves the deployment because of its events. Operators hold them after they restored a backup. */
  readonly sends?: true;
  /**
   * Returns the environments, among the given ones, whose events the consumer handles. It reads in the transaction that
   * stores the batches. The events have committed by then, so it sees anything that an environment set up before an
   * event. By default all environments, without a query.
   */
  readonly environments?: (db: Session, environmentIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Handles events in a transaction that also records them as handled, so each is handled exactly once. One call may
   * receive events of several environments and lanes. Events of one environment and lane mostly arrive in the order of
   * the event log, but no order is promised: several processes, failures and crashes change it. If it throws, the batch
   * is retried with increasing delays, and a batch that fails again is split to isolate the failing event. Other
   * consumers, environments and lanes are not delayed.
   */
  readonly handle: (events: readonly ConsumedEvent[], context: FullContext) => Promise<void>;
}
