import type { Rows } from '#core/runtime/database/rows.js';
import type { Lane } from '#core/runtime/work/queue.js';
import type { Environment } from './caller/caller.js';
import type { Schema, ValueOf } from './schema/schema.js';

/** The declaration of an event type. */
export interface EventDeclaration {
  readonly summary: string;
  /** The kind of the event's subject: account, member, key, message … */
  readonly subject: string;
  /** The event exists only if these other products are enabled too. */
  readonly requires?: readonly string[];
  /** The event's `data`: the resource as its get operation returns it. Never a code, a token or a link. */
  readonly data: Schema;
  /** An example of `data` that fits the event; generated from the schema if absent. */
  readonly example?: unknown;
  /**
   * The path of a field of `data`, such as 'thing.reason', by whose values GET /metrics counts the event. They must be
   * few: each is a time series.
   */
  readonly countedBy?: string;
  /** The example is of a test environment, because this does not happen in live ones. */
  readonly isTestExample?: true;
}

/** The events of all products. Each product's events.ts adds its own by declaration merging. */
export interface DeclaredEvents {}

export type EventName = Extract<keyof DeclaredEvents, string>;
export type EventData<N extends EventName> = DeclaredEvents[N] extends { readonly data: infer S } ? ValueOf<S> : never;

/** Declares events: `declareEvents({ 'account.created': { summary: '…', subject: 'account', data: … } })`. */
export const declareEvents = <const D extends Readonly<Record<string, EventDeclaration>>>(declarations: D): D =>
  declarations;

/** An event to write. */
export interface NewEvent<D = unknown> {
  subjectId: string;
  data: D;
  /** The person the event is about (a contact, a user). Erasing the person redacts the event. */
  personId?: string;
  /** Whether consumers skip the event, because the emitter delivers the event itself. */
  direct?: boolean;
  /** Use 'bulk' for events in large numbers, such as those of a bulk operation. Default: 'transactional'. */
  lane?: Lane;
  /** The audit record of the call that started the work. Default: the transaction's record. */
  activityId?: string | null;
}

/** Events of one type that one INSERT ... SELECT writes. */
export interface SelectedEvents {
  /**
   * One row per event: its id, a number that counts the rows from 1 without gaps, the subject's id as text, the person
   * it is about or NULL, and `data` as JSON text.
   */
  readonly rows: Rows<'id' | 'ordinal' | 'subject_id' | 'person_id' | 'data'>;
  readonly environment: Environment;
  readonly lane: Lane;
  /** The audit record of the call that caused them; null if no call did. */
  readonly activityId: string | null;
  /** Consumers that have nothing to do for them, because this transaction has done it. */
  readonly handledBy?: readonly string[];
}
