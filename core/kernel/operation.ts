import type { CallerOf, Context, HandlerContext, PrepareContext } from './context.js';
import type { ErrorCode, Refusal } from './errors/errors.js';
import type { EventName } from './event.js';
import type { NamedLimit } from './limits/named-limit.js';
import type { FollowUp, JoinedLists, NamedItems, Progress } from './operation-hints.js';
import { propertiesOf, type Schema, type SentOf, type ValueOf } from './schema/schema.js';
import type { WorkerServices } from './worker-services.js';

/**
 * Who may call:
 * - `secret`: a secret key or a dashboard session that has the permission
 * - `publishable`: a publishable key
 * - `user`: a publishable key, with the end user's access token in the input field `accessToken`
 * - `public`: anyone, without a key
 * - `operator`: a live secret key of the deployment's own (first) account, with the role owner
 */
export type Access = 'secret' | 'publishable' | 'user' | 'public' | 'operator';

/** What a call does. Omitted flags are false. */
interface Impact {
  read: boolean;
  destructive: boolean;
  /** A repeat leaves the same state and answers 200. */
  retrySafe: boolean;
  billable: boolean;
}

/** The requirements of an operation on a signed-in user's session; each has the code that refuses other sessions. */
export interface Needs {
  /** Signed in within the last 10 minutes; otherwise reauth_required. */
  readonly recentSignIn?: true;
  /** Signed in with a second factor; otherwise mfa_required. */
  readonly secondFactor?: true;
  /**
   * Signed in with a second factor if the user has an active one; otherwise mfa_required. For operations that change
   * how a user signs in.
   */
  readonly secondFactorIfActive?: true;
  /**
   * Open to sessions that still lack a required second factor, so that the user can enrol one; all others get
   * mfa_required.
   */
  readonly withoutRequiredFactor?: true;
  /** The user themself: an impersonated session gets impersonation_forbidden. */
  readonly notImpersonated?: true;
}

/**
 * Whether a read may answer from a replica, which is some seconds behind (SVC_DATABASE_READ_URL):
 *
 * - `by default`: unless the call refuses it. For statistics, which nobody reads to find what they have just written.
 * - `on request`: if the call states an age. For lists and counts, in which callers look for what they have written.
 *
 * Never for reads that decide what a caller may do, or whether somebody agreed to something.
 */
type MayBeOld = 'by default' | 'on request';

interface OperationFacts {
  /** The address: `email.broadcast.pause` is POST /email/broadcast/pause. */
  readonly name: string;
  /** One sentence for people: the reference, the command line's help, the MCP tool. */
  readonly summary: string;
  /** Details beyond the summary. */
  readonly description?: string;
  /** Words that people search for and that the name, summary and description lack; not shown. */
  readonly keywords?: string;
  readonly access: Access;
  /** The operation exists only if this other product is enabled. */
  readonly requires?: string;
  /** `null` if the operation needs no permission; otherwise derived from product and impact. */
  readonly permission?: null;
  /** Requirements on the end user's session; only if the input takes an `accessToken`. */
  readonly needs?: Needs;
  /** The largest request body, in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /**
   * `prepare` changes nothing and costs little: it may also run for a repeat, so the stored answer is not looked up
   * first.
   */
  readonly prepareOnlyComputes?: true;
  /**
   * The reply contains a secret. States how the stored copy of the reply is encrypted: with the deployment's key, or,
   * for public operations, so that only the call's own Idempotency-Key decrypts it, because their callers have no
   * identity.
   */
  readonly showsSecret?: 'stored encrypted' | 'sealed by Idempotency-Key';
  /**
   * How long a repeat with the same Idempotency-Key gets the stored answer; 24 hours by default. For replies with a
   * user's tokens: a later repeat is not a retry after a lost answer, and runs like a new call.
   */
  readonly replaySeconds?: number;
  /**
   * The data it reads or changes belongs to the whole account, no matter which environment called, and so does its
   * audit record. Keys of test environments may not call such a write: live_only. Those keys are kept in places that
   * many people can read, such as CI and laptops. If a product keeps rows of accounts, the registry requires each of
   * its writes to state this flag, true or false.
   */
  readonly accountWide?: boolean;
  /** Why keys of test environments may call this account-wide write anyway. */
  readonly openToTestKeys?: string;
  /**
   * Only for owners: keys and dashboard sessions with the role owner. All others are refused with owner_only, which is
   * added to the operation's `errors`.
   */
  readonly ownerOnly?: true;
  /** Only for live environments. In a test environment, keys and dashboard sessions are refused with live_only. */
  readonly liveOnly?: true;
  /** For a call whose work continues after its answer, or that is one of several steps. */
  readonly followUp?: FollowUp;
  /** For a read whose answer changes while work is in progress. */
  readonly progress?: Progress;
  /** For a list of things that people know by a unique name, or a read that finds one by such a name. */
  readonly namedItems?: NamedItems;
  /** For a reply with several lists of the same things. */
  readonly joined?: JoinedLists;
}

/** An operation as the registry, the runner and the surfaces use it. */
export interface Operation<Value = unknown, Sent = unknown, Reply = unknown> extends OperationFacts {
  readonly product: string;
  readonly limits?: readonly NamedLimit<Value>[];
  mayTakeLong?(input: Value): boolean;
  readonly mayBeOld?: MayBeOld;
  readonly impact: Impact;
  readonly input: Schema<Value, Sent>;
  readonly output: Schema<Reply>;
  readonly errors: readonly ErrorCode[];
  readonly events: readonly EventName[];
  readonly example: { readonly input: Sent; readonly output: Reply };
  prepare?(input: Value, context: PrepareContext): Promise<unknown>;
  handle(input: Value, context: HandlerContext): Promise<Reply | Refusal>;
  finish?(reply: Reply, context: FinishContext): Promise<Reply | Refusal>;
}

/** The type of an operation's reply: `ReplyOf<typeof describe>`. */
export type ReplyOf<O> = O extends Operation<infer _Value, infer _Sent, infer Reply> ? Reply : never;

/**
 * The context of `finish`, which runs after COMMIT. It may make network calls, and writes in its own transactions
 * (`services.transaction`).
 */
interface FinishContext<Access = unknown, Code extends ErrorCode = ErrorCode> extends Pick<
  Context<never, Code>,
  'db' | 'clock' | 'vault' | 'deployment' | 'use' | 'fail' | 'refuse'
> {
  readonly caller: CallerOf<Access>;
  readonly services: WorkerServices;
}

interface Definition<
  A extends Access,
  I extends Schema,
  O extends Schema,
  Code extends ErrorCode,
  Name extends EventName,
  Prepared,
> extends OperationFacts {
  readonly access: A;
  readonly impact?: Partial<Impact>;
  /** Its own limits, in addition to the limit per key. */
  readonly limits?: readonly NamedLimit<ValueOf<I>>[];
  /**
   * Whether reading for this input may take seconds. It applies to the handler of a read, and to `prepare` of a write.
   * Such reads run two at once per account. As in every read, their statements are ended after 5 s
   * (isStatementTimeout).
   */
  readonly mayTakeLong?: (input: ValueOf<I>) => boolean;
  /** For a read whose answer may come from a replica; by default, it comes from the primary. */
  readonly mayBeOld?: MayBeOld;
  readonly input: I;
  readonly output: O;
  /** Codes in addition to those that every operation may return. */
  readonly errors?: readonly Code[];
  /** Events it may write, directly or through the work it starts. */
  readonly events?: readonly Name[];
  readonly example: { readonly input: SentOf<I>; readonly output: ValueOf<O> };
  /** Reads and computes before the transaction opens: DNS, password hashing. It writes nothing. */
  readonly prepare?: (input: ValueOf<I>, context: PrepareContext<A, Code>) => Promise<Prepared>;
  /**
   * The handler. It runs in one transaction: rows, events and audit record commit together or not at all. It may run
   * again after a deadlock, so it does nothing outside the database.
   */
  readonly handle: (
    input: ValueOf<I>,
    context: HandlerContext<A, Code, Name, Prepared>,
  ) => Promise<ValueOf<O> | Refusal>;
  /** Runs after COMMIT: makes network calls and returns the outcome, which becomes the stored answer. */
  readonly finish?: (reply: ValueOf<O>, context: FinishContext<A, Code>) => Promise<ValueOf<O> | Refusal>;
}

const noImpact: Impact = { read: false, destructive: false, retrySafe: false, billable: false };

/**
 * Defines an operation: everything that a reader, a validator or a surface needs is declared as data above the handler.
 * docs/architecture.md (What an operation becomes) names the code that makes the HTTP route, SDK method, command, MCP
 * tool, OpenAPI path and console form from it.
 */
export function defineOperation<
  const N extends string,
  A extends Access,
  I extends Schema,
  O extends Schema,
  const Code extends ErrorCode = never,
  const Name extends EventName = never,
  Prepared = undefined,
>(
  definition: Definition<A, I, O, Code, Name, Prepared> & { readonly name: N },
): Operation<ValueOf<I>, SentOf<I>, ValueOf<O>> & { readonly name: N };
export function defineOperation(definition: {
  readonly name: string;
  readonly impact?: Partial<Impact>;
  readonly ownerOnly?: true;
  readonly input: Schema;
  readonly errors?: readonly string[];
  readonly events?: readonly string[];
}): unknown {
  const { name, impact, ownerOnly, input, errors = [] } = definition;
  return {
    ...definition,
    product: name.split('.')[0] ?? '',
    impact: { ...noImpact, ...impact },
    errors: [
      ...errors,
      ...(ownerOnly ? ['owner_only'] : []),
      ...('ifUnchangedSince' in propertiesOf(input) ? ['changed_meanwhile'] : []),
    ],
    events: definition.events ?? [],
  };
}

/** The permission that an operation requires: `<product>:read` or `:write`, `auth:public`, or none. */
export function permissionOf(operation: Operation): string | null {
  if (operation.permission === null || operation.access === 'public') return null;
  if (operation.access === 'publishable' || operation.access === 'user') return 'auth:public';
  return `${operation.product}:${operation.impact.read ? 'read' : 'write'}`;
}

/**
 * Whether the operation refuses every caller in a test environment, only the keys of test environments, or no caller
 * there.
 */
export function testRefusal({
  access,
  impact,
  accountWide,
  openToTestKeys,
  liveOnly,
}: Pick<Operation, 'access' | 'impact' | 'accountWide' | 'openToTestKeys' | 'liveOnly'>): 'everyone' | 'keys' | null {
  if (liveOnly === true) return 'everyone';
  const isWrite = access === 'secret' && !impact.read;
  return isWrite && accountWide === true && openToTestKeys === undefined ? 'keys' : null;
}

/** `POST` address of an operation: its name with dots as slashes. */
export const pathOf = (name: string): string => `/${name.replaceAll('.', '/')}`;
