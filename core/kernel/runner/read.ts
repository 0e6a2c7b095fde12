import { readSeconds, withTimeLimit } from '#core/runtime/database/time-limit.js';
import { isTenant, type Caller } from '../caller/caller.js';
import { isRefusal } from '../errors/errors.js';
import type { Operation } from '../operation.js';
import type { Answer } from '../call.js';
import { callerFor, handlerContext } from './handler-context.js';
import type { RunnerOptions } from './options.js';
import { envelope } from './reply.js';
import { openScope } from './scope.js';

/** Whether the read counts as a long one, see Definition.mayTakeLong. */
const isLong = (operation: Operation, input: unknown): boolean => operation.mayTakeLong?.(input) === true;

/**
 * Runs a read: on one connection at most, without a transaction, without an audit record. Every read of an environment
 * takes from its share of the connections, and each of its statements has a time limit. A read that may compute for a
 * long time first waits for its turn.
 */
export function runRead(options: RunnerOptions, operation: Operation, input: unknown, caller: Caller): Promise<Answer> {
  const run = (): Promise<Answer> => readOnce(options, operation, input, caller);
  return isLong(operation, input) && isTenant(caller) ? options.longReads.run(caller.environment.id, run) : run();
}

async function readOnce(
  { database, strictReplies, ...shared }: RunnerOptions,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<Answer> {
  const { session, release } = database.openReader(isTenant(caller) ? caller.environment.id : undefined);
  try {
    const facts = { db: session, caller, activityId: '', product: operation.product, readOnly: true };
    const scope = openScope({ ...shared, ...facts });
    const reply = await operation.handle(input, handlerContext(scope, operation));
    if (isRefusal(reply)) throw reply.refusal;
    return { body: envelope(operation, '', reply, strictReplies), replayed: false };
  } finally {
    release();
  }
}

/**
 * Runs the operation's `prepare`, if it has one. It reads through the pool, so it holds no connection during network
 * calls.
 */
export function runPrepare(
  { database, ...shared }: RunnerOptions,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<unknown> | undefined {
  const { prepare } = operation;
  if (!prepare) return undefined;
  const reader = withTimeLimit(database, database.flavour, readSeconds);
  const facts = { db: reader, caller, activityId: '', product: operation.product, readOnly: true };
  const { db, clock, deployment, vault, use, fail } = openScope({ ...shared, ...facts }).context;
  const { http, log } = shared.services;
  const run = (): Promise<unknown> =>
    prepare(input, { caller: callerFor(caller), db, clock, deployment, vault, use, http, log, fail });
  return isLong(operation, input) && isTenant(caller) ? shared.longReads.run(caller.environment.id, run) : run();
}
