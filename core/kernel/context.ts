import type { Clock } from '#core/runtime/clock.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Caller, Environment, PublicCaller, TenantCaller } from './caller/caller.js';
import type { ErrorCode, ErrorMakers, Refusal, SvcError } from './errors/errors.js';
import type { CommonCode } from './errors/common.js';
import type { EventData, EventName, NewEvent } from './events/declare.js';
import type { Deployment } from './deployment.js';
import type { Port } from './port.js';

/** A field that a write changed, for the audit record. Secrets never. */
export interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/** What a handler tells the audit record; the runner adds who, when, whence and which operation. */
export interface AuditEntry {
  subject?: { type: string; id: string };
  /** One line for people: “Invited ada@example.com as developer.” */
  summary: string;
  changes?: readonly Change[];
  personId?: string;
}

/** What a transaction's code has at hand, whichever operation or port it is part of. */
export interface TransactionContext {
  readonly db: Session;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly caller: Caller;
  readonly deployment: Deployment;
  /** The id of the audit record that this transaction will write; events refer to it. */
  readonly activityId: string;
  readonly use: <T>(port: Port<T>) => T;
  /** Wakes a work queue of this process once the transaction has committed. */
  readonly wake: (queue: string) => void;
}

/** What a port's provider is made with. */
export interface PortContext extends TransactionContext {
  /** Any declared event, in the environment that the transaction acts in (or the one named). */
  readonly emitAny: (name: string, news: NewEvent, environment?: Environment) => string;
  /** Any declared refusal, to throw. */
  readonly failAny: ErrorMakers<ErrorCode, SvcError>;
}

type CallerOf<Access> = Access extends 'public' ? PublicCaller : TenantCaller;

/** The one context of an operation's handler. */
export interface HandlerContext<
  Access = unknown,
  Code extends ErrorCode = ErrorCode,
  Name extends EventName = EventName,
  Prepared = unknown,
> extends TransactionContext {
  readonly caller: CallerOf<Access>;
  /** What `prepare` returned. */
  readonly prepared: Prepared;
  /** Makes a declared refusal to throw: everything the call wrote is undone. */
  readonly fail: ErrorMakers<Code | CommonCode, SvcError>;
  /** Makes a declared refusal to return: what the call wrote is kept, without audit record and stored answer. */
  readonly refuse: ErrorMakers<Code | CommonCode, Refusal>;
  /** @returns the event's id */
  readonly emit: <N extends Name>(name: N, news: NewEvent<EventData<N>>) => string;
  readonly audit: (note: AuditEntry) => void;
  /** Public operations name the environment whose audit log and events their write belongs to. */
  readonly actIn: (environment: Environment) => void;
}

/** What `prepare` has: no database, since no transaction is open yet. */
export interface PrepareContext<Access = unknown, Code extends ErrorCode = ErrorCode> {
  readonly caller: CallerOf<Access>;
  readonly clock: Clock;
  readonly deployment: Deployment;
  readonly fail: ErrorMakers<Code | CommonCode, SvcError>;
}
