import type { Lane } from '#core/runtime/work/queue.js';
import type { Schema, ValueOf } from '../schema/schema.js';

/** What an event says and about which kind of thing. */
export interface EventDeclaration {
  readonly summary: string;
  /** The kind of the event's subject: account, member, key, message … */
  readonly subject: string;
  /** The event's `data`: the resource as its get operation returns it. Never a code, a token or a link. */
  readonly data: Schema;
}

/** The event names of all products, by declaration merging: each events.ts adds its own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by augmentation
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
  /** The person the event is about (a contact, a user), so that erasing the person finds it. */
  personId?: string;
  /** The emitter delivers it itself: consumers do not get it. */
  direct?: boolean;
  /** 'bulk' for one of very many, such as the messages of a broadcast: they wait behind others. 'transactional' by default. */
  lane?: Lane;
  /** The audit record of the call that started the work; the transaction's own by default. */
  activityId?: string;
}
