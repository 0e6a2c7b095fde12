import type { Lane } from '#core/runtime/work/queue.js';
import type { FullContext } from '../context.js';

/** A committed event, as consumers get it. */
export interface ConsumedEvent {
  readonly id: string;
  readonly environmentId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly lane: Lane;
  /** What it is about: the declared kind and the id. */
  readonly subject: { readonly type: string; readonly id: string };
  /** The person it is about (a contact, a user), if any. */
  readonly personId: string | null;
  /** The audit record of the call that caused it, if any. Pass it on with events emitted in consequence. */
  readonly activityId: string | null;
}

/** A part of a product that works with committed events: webhook deliveries, counters, triggers. */
export interface EventConsumer {
  /** Unique in the deployment, and stable: batches that wait for it are stored under this name. */
  readonly name: string;
  /** The event types it handles; all when absent. */
  readonly types?: readonly string[];
  /**
   * Handles events in a transaction that also records them as handled, so each is handled exactly once. One call may bring events of
   * several environments and lanes; those of one environment and lane come in the order of the event log, unless one of them failed
   * before. When it throws, the batch is tried again, later each time, and events that fail again are separated from the others. No other
   * consumer, environment or lane waits for that.
   */
  readonly handle: (events: readonly ConsumedEvent[], context: FullContext) => Promise<void>;
}
