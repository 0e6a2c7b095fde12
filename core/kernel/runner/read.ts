import type { Caller } from '../caller/caller.js';
import { isRefusal } from '../errors/errors.js';
import type { Operation } from '../operation.js';
import type { Answer } from './call.js';
import { callerFor, handlerContext } from './handler-context.js';
import type { RunnerOptions } from './options.js';
import { envelope } from './reply.js';
import { openScope } from './scope.js';

/** Runs a read: on one connection, without a transaction, without an audit record. */
export async function runRead(
  { database, strictReplies, ...shared }: RunnerOptions,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<Answer> {
  const { session, release } = await database.acquire();
  try {
    const facts = { db: session, caller, activityId: '', product: operation.product, readOnly: true };
    const scope = openScope({ ...shared, ...facts });
    const reply = await operation.handle(input, handlerContext(scope, operation, undefined));
    if (isRefusal(reply)) throw reply.refusal;
    return { body: envelope(operation, '', reply, strictReplies), replayed: false };
  } finally {
    await release();
  }
}

/** Runs the operation's `prepare`, where it has one: it reads through the pool, so it holds no connection while it calls out. */
export function runPrepare(
  { database, ...shared }: RunnerOptions,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<unknown> | undefined {
  if (!operation.prepare) return undefined;
  const facts = { db: database, caller, activityId: '', product: operation.product, readOnly: true };
  const { db, clock, deployment, vault, use, fail } = openScope({ ...shared, ...facts }).context;
  const { http } = shared.services;
  return operation.prepare(input, { caller: callerFor(caller), db, clock, deployment, vault, use, http, fail });
}
