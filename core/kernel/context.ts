import type { Clock } from '#core/runtime/clock.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import type { HttpClient } from '#core/runtime/http-client/client.js';
import type { Log } from '#core/runtime/log.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Caller, Environment, PublicCaller, TenantCaller, UserCaller } from './caller/caller.js';
import type { CommonCode } from './errors/common.js';
import type { ErrorCode, ErrorMakers, Refusal, SvcError } from './errors/errors.js';
import type { EventData, EventName, NewEvent, SelectedEvents } from './event.js';
import type { Deployment } from './deployment.js';
import type { Port } from './port.js';

/** A field that a write changed, for the audit record. Never a secret. */
export interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/**
 * What a write reports about itself in its audit record; the kernel adds the actor, the time, the origin and the
 * operation.
 */
export interface AuditEntry {
  subject?: { type: string; id: string };
  /** One line for people: “Invited ada@example.com as developer.” */
  summary: string;
  /**
   * The fields that changed; for a new object its main fields, from null. Empty if nothing changed; absent if no field
   * describes the change.
   */
  changes?: readonly Change[];
  /** The text to use instead of `summary` if `changes` is empty, as the end of “Nothing changed: …”. */
  unchanged?: string;
  /**
   * The person the record is about; an erasure of the person redacts it. The default in a call by a user is the user.
   * With null, the record outlives the erasure of the calling user: it names neither their label nor their IP address
   * and user agent.
   */
  personId?: string | null;
  /**
   * The operation to file the record under. Required outside an operation; inside one, the operation's name is used.
   */
  operation?: string;
}

/** What svc changed by itself, filed under the operation with which people do the same. */
export type OwnAuditEntry = AuditEntry & { operation: string };

/**
 * What code in a transaction works with. It is the same for an operation's handler, a port, a worker, an event consumer
 * and an eraser. Rows, events and audit record commit together.
 *
 * A function that several of them share names the least that it needs: `Context<'email.sent', 'domain_taken'>` may emit
 * `email.sent` and fail with `domain_taken` or any common code.
 */
export interface Context<Name extends EventName = never, Code extends ErrorCode = never> {
  readonly db: Session;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly caller: Caller;
  readonly deployment: Deployment;
  /** The id of the audit record that this transaction will write; its events refer to it. */
  readonly activityId: string;
  /** Uses another product's port, in this transaction. */
  readonly use: <T>(port: Port<T>) => T;
  /** Wakes a work queue of this process once the transaction has committed. */
  readonly wake: (queue: string) => void;
  /**
   * Writes an event, committed with the transaction.
   * @param environment the environment that the event belongs to; by default the one that the transaction acts in
   * @returns the event's id
   */
  readonly emit: <N extends Name>(name: N, event: NewEvent<EventData<N>>, environment?: Environment) => string;
  /**
   * Writes many events with one INSERT ... SELECT. Their `data` is made in SQL, so the caller is responsible for its
   * form. It locks the environment's log until COMMIT, so call it last.
   * @returns the number of events
   */
  readonly emitSelected: (name: Name, events: SelectedEvents) => Promise<number>;
  /** Describes the write for its audit record. If it is called several times, the last call counts. */
  readonly audit: (entry: AuditEntry) => void;
  /**
   * Writes a further audit record, of something that svc changes by itself. Its actor is `system`, also within a call.
   * A change that stops sending or deliveries must have one.
   * @param environment the environment that it belongs to
   * @returns the record's id
   */
  readonly auditOwn: (environment: Environment, entry: OwnAuditEntry) => string;
  /** Makes an error to throw: the transaction rolls back. */
  readonly fail: ErrorMakers<Code | CommonCode, SvcError>;
  /**
   * Makes an error for the handler to return: its rows and events commit, without an audit record or a stored answer.
   */
  readonly refuse: ErrorMakers<Code | CommonCode, Refusal>;
  /**
   * Names the environment that the audit record and the events belong to, if the caller has none: in public operations
   * and workers.
   * @param startedBy in background work, the audit record of the call that started it, which events refer to by default
   */
  readonly actIn: (environment: Environment, startedBy?: string | null) => void;
  /**
   * The audit record that the events of later work refer to; store it with the work. It is the record of this call or,
   * in background work, of the call that started the work. Null if no call started it.
   */
  readonly startedBy: () => string | null;
}

/**
 * A context that may emit any declared event and fail with any declared code. Ports, workers, event consumers and
 * erasers receive it.
 */
export type FullContext = Context<EventName, ErrorCode>;

export type CallerOf<Access> = Access extends 'public'
  ? PublicCaller
  : Access extends 'user'
    ? UserCaller
    : TenantCaller;

/** An operation's handler: emits the operation's declared events and fails with its declared codes. */
export interface HandlerContext<
  Access = unknown,
  Code extends ErrorCode = ErrorCode,
  Name extends EventName = EventName,
  Prepared = unknown,
> extends Context<Name, Code> {
  readonly caller: CallerOf<Access>;
  /** What `prepare` returned. */
  readonly prepared: Prepared;
  /**
   * The Idempotency-Key of the call; undefined if it has none. While the answer is stored, repeats get it without
   * running the handler. Only a handler that recognises its repeats after that time reads it.
   */
  readonly idempotencyKey: string | undefined;
}

/** The context of reads outside a transaction: neither the context nor the ports used through it can write. */
export interface ReadContext<Code extends ErrorCode = never> extends Pick<
  Context<never, Code>,
  'clock' | 'vault' | 'caller' | 'deployment' | 'use' | 'fail'
> {
  readonly db: ReadSession;
}

/**
 * The context of rules that only read: rows, other products' ports and the deployment's settings. A transaction's
 * context and a ReadContext both have these fields.
 */
export type Reading = Pick<ReadContext, 'db' | 'use' | 'deployment'>;

/**
 * The context of `prepare`, which runs before the transaction. `prepare` may read and make network calls, but must not
 * write.
 */
export interface PrepareContext<Access = unknown, Code extends ErrorCode = ErrorCode> extends ReadContext<Code> {
  readonly caller: CallerOf<Access>;
  readonly http: HttpClient;
  readonly log: Log;
}
