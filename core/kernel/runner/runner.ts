import { isConflict, isStatementTimeout, isUnavailable, lossOf, refusedColumn } from '#core/runtime/database/errors.js';
import { ShareExhausted, shareWaitMs } from '#core/runtime/database/pool/fair-share.js';
import { readSeconds } from '#core/runtime/database/time-limit.js';
import { isTenant, type Caller, type Environment, type RequestFacts } from '../caller/caller.js';
import type { Credentials } from '../caller/authenticator.js';
import { pageCaller } from '../caller/page-caller.js';
import { authorise } from './resolve.js';
import { checkNeeds, resolveUser } from './user.js';
import { refusalOf } from '../errors/common.js';
import { SvcError } from '../errors/errors.js';
import { invalidField } from '../errors/invalid-field.js';
import { checkLimits } from '../limits/check.js';
import { holderOf } from '../limits/holder-of.js';
import type { NamedLimit } from '../limits/named-limit.js';
import type { Operation } from '../operation.js';
import { takeShortTurn, takeTurn } from '#core/runtime/take-turn.js';
import { readInput } from '../schema/validation/read-input.js';
import { propertiesOf } from '../schema/schema.js';
import type { Admission, Answer, Call } from '../call.js';
import type { RunnerOptions } from './options.js';
import { runRead } from './read.js';
import { createWriter } from './replay.js';
import { openScope } from './scope.js';
import type { WorkerServices } from '../worker-services.js';

/**
 * The caller of an in-process call from a hosted page.
 * @throws Error for operations that need a secret key, and for a missing environment: both are bugs of the page
 */
function inProcessCaller(operation: Operation, environment: Environment | undefined, request: RequestFacts): Caller {
  const { name, access } = operation;
  if (access === 'public') return { kind: 'public', request };
  if (access === 'secret' || access === 'operator')
    throw new Error(`${name} needs a secret key: a page cannot call it.`);
  if (!environment) throw new Error(`A page called ${name} without naming an environment.`);
  return pageCaller({ environment, request });
}

/** Whether a limit counts calls before they run. */
const countsBefore = ({ acceptedOnly, refusedWith }: NamedLimit): boolean => !acceptedOnly && !refusedWith;

/**
 * While this many calls run in the process, further ones begin in turn, one in each turn of the event loop: accounts
 * alternate. Otherwise the call of one account would begin behind all that another has sent at once.
 */
const callsWithoutTurn = 8;

/** How long an admission stays valid while the body arrives. */
const admissionMs = 1_000;

interface Runner {
  /**
   * The first steps of a call, which need only its headers: caller, limit per key, permission. Surfaces run them before
   * they read a body, so that only admitted callers cost memory and time.
   * @throws unauthenticated, origin_not_allowed, rate_limited, and the refusals of `authorise`
   */
  admit(operation: Operation, credentials: Credentials): Promise<Admission>;
  call(call: Call): Promise<Answer>;
}

/**
 * Runs calls, each through the same steps in the same order: caller, limit per key, permission, input, end user, the
 * operation's needs and limits, then the read, or the stored answer or the write (docs/architecture.md, “How a request
 * travels”).
 */
export function createRunner(options: RunnerOptions): Runner {
  const { database, clock, countRequest, lookup, resolveBearer } = options;
  const write = createWriter(options);

  const countAgainst = (limits: readonly NamedLimit[], call: Call, caller: Caller): Promise<void> | undefined => {
    if (limits.length === 0) return undefined;
    const db = database.sessionOf(holderOf(caller));
    const facts = { db, caller, activityId: '', product: call.operation.product, readOnly: true };
    return checkLimits(db, limits, openScope({ ...options, ...facts }).context, call.input);
  };
  const limit = (call: Call, caller: Caller): Promise<void> | undefined =>
    countAgainst(call.inProcess?.limits ?? call.operation.limits?.filter(countsBefore) ?? [], call, caller);

  /** Counts a refusal against the limits of such refusals. @throws rate_limited in its place, if one is reached */
  const limitRefusal = async (call: Call, caller: Caller, refusal: unknown): Promise<void> => {
    if (!(refusal instanceof SvcError) || call.inProcess?.limits) return;
    const limits = call.operation.limits ?? [];
    await countAgainst(
      limits.filter(({ refusedWith }) => refusedWith?.some((code) => code === refusal.code)),
      call,
      caller,
    );
  };

  const callerOf = async (operation: Operation, credentials: Credentials): Promise<Caller> =>
    operation.access === 'public'
      ? { kind: 'public', request: credentials.request }
      : resolveBearer({ ...credentials, operation: operation.name });

  const admit = async (operation: Operation, credentials: Credentials, isCounted = false): Promise<Admission> => {
    let caller: Caller = { kind: 'public', request: credentials.request };
    try {
      caller = await callerOf(operation, credentials);
      if (isTenant(caller) && !isCounted) await countRequest(caller);
      authorise(operation, caller);
    } catch (error) {
      // Its sender repeats a refused call at once, so a flood of them would compute in every turn of the event loop.
      await takeTurn(holderOf(caller));
      throw error;
    }
    return { caller, at: performance.now() };
  };

  /** The caller of an admission, looked up again if the body took long to arrive. */
  const admitted = async (call: Call, { caller, at }: Admission): Promise<Caller> => {
    if (performance.now() - at < admissionMs) return caller;
    const current = await callerOf(call.operation, call);
    authorise(call.operation, current);
    return current;
  };

  let running = 0;
  const run = async (call: Call): Promise<Answer> => {
    running += 1;
    try {
      return await runInTurn(call);
    } finally {
      running -= 1;
    }
  };
  const runInTurn = async (call: Call): Promise<Answer> => {
    const { operation, input, inProcess, request } = call;
    const bearer = inProcess
      ? inProcessCaller(operation, inProcess.environment, request)
      : await admitted(call, call.admission ?? (await admit(operation, call, call.isCounted)));
    if (running > callsWithoutTurn) await takeShortTurn(holderOf(bearer));
    const problem = await readInput(operation.input, input, holderOf(bearer));
    if (problem) throw problem;
    const caller = await resolveUser(operation, bearer, input, lookup);
    const check = async (): Promise<void> => {
      checkNeeds(operation, caller, clock);
      await limit(call, caller);
    };
    try {
      if (!operation.impact.read) return await write(call, caller, check);
      await check();
      return await runRead(options, call, caller);
    } catch (error) {
      await limitRefusal(call, caller, error);
      throw error;
    }
  };

  return {
    admit: (operation, credentials) => withRefusals(() => admit(operation, credentials)),
    call: (call) => withRefusals(() => run(call), { operation: call.operation, log: options.services.log }),
  };
}

interface Logged {
  readonly operation: Operation;
  readonly log: WorkerServices['log'];
}

/**
 * The refusal of a value that its schema let through and that does not fit into its column. It is the caller's to
 * change, and a fault of the schema, which the log names.
 */
function refusedValue(error: unknown, call: Logged | undefined): SvcError | undefined {
  const column = refusedColumn(error);
  if (column === undefined || !call) return undefined;
  call.log.error(
    { err: error, operation: call.operation.name },
    'a value that the schema allows does not fit into its column',
  );
  const name = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const field = name in propertiesOf(call.operation.input) ? name : 'body';
  return invalidField(field, 'cannot be stored: a text is too long, or a number or time is out of range');
}

const shareLimit = 'the calls of this account that run already use its share of the database connections';

/**
 * @throws unavailable if the database cannot be reached, a read exceeded its time limit, or every retry met a conflict,
 *   so that nothing was committed; invalid_input if a value does not fit into its column; rate_limited if the account's
 *   own calls leave it no connection
 */
async function withRefusals<T>(step: () => Promise<T>, call?: Logged): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ShareExhausted)
      throw refusalOf.rate_limited({ limit: shareLimit, seconds: shareWaitMs / 1000 });
    if (isStatementTimeout(error))
      throw refusalOf.unavailable({ problem: `a read took longer than ${readSeconds} seconds` });
    if (isUnavailable(error)) throw refusalOf.unavailable({ problem: lossOf(error) });
    const refused = refusedValue(error, call);
    if (refused) throw refused;
    if (isConflict(error)) throw refusalOf.unavailable({ problem: 'other calls are changing the same rows' });
    throw error;
  }
}
