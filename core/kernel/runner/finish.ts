import type { Statement } from '#core/runtime/database/statement.js';
import { crashPoint } from '#core/runtime/fault.js';
import type { Caller } from '../caller/caller.js';
import { isRefusal, SvcError } from '../errors/errors.js';
import type { IdempotencyKey } from '../idempotency/key.js';
import { freeStatement, storeStatement } from '../idempotency/store.js';
import { holderOf } from '../limits/holder-of.js';
import type { Operation } from '../operation.js';
import type { Answer } from '../call.js';
import { callerFor } from './handler-context.js';
import type { RunnerOptions } from './options.js';
import { envelope } from './reply.js';
import { openScope } from './scope.js';

/** A write that has committed and must still be finished. */
interface Committed {
  /** The handler's reply, and the answer built from it. */
  reply: unknown;
  answer: Answer;
  caller: Caller;
  key: IdempotencyKey | undefined;
  activityId: string;
}

/**
 * Runs `finish` after COMMIT and stores its reply as the call's answer, in place of the handler's. If it refuses, the
 * refusal is returned and the key is free again; the committed changes stay, with their audit record. If it fails for
 * another reason, a repeat gets the handler's answer.
 */
export async function runFinish(options: RunnerOptions, operation: Operation, committed: Committed): Promise<Answer> {
  const { database, strictReplies } = options;
  const { answer, key, activityId } = committed;
  const run = async (statement: Statement | undefined): Promise<void> => {
    if (statement) await database.run(statement);
  };
  try {
    const reply = await finished(options, operation, committed);
    if (isRefusal(reply)) throw reply.refusal;
    const body = envelope(operation, activityId, reply, strictReplies);
    crashPoint('finish.store.before');
    await run(key && storeStatement(key, body, { activityId }));
    return { body, replayed: false };
  } catch (error) {
    crashPoint('finish.failed');
    const settled =
      key &&
      (error instanceof SvcError ? freeStatement(key, activityId) : storeStatement(key, answer.body, { activityId }));
    await run(settled).catch(() => undefined);
    throw error;
  }
}

/** Each statement takes a connection, because the transaction's own has been returned. */
async function finished(
  { database, wake, services, ...shared }: RunnerOptions,
  operation: Operation,
  { reply, caller, activityId }: Committed,
): Promise<unknown> {
  const db = database.sessionOf(holderOf(caller));
  const scope = openScope({ ...shared, db, caller, activityId, product: operation.product });
  const { clock, deployment, vault, use, fail, refuse } = scope.context;
  const facts = { caller: callerFor(caller), clock, deployment, vault, services };
  const reached = await operation.finish?.(reply, { ...facts, db: scope.context.db, use, fail, refuse });
  if (scope.closing(undefined).length > 0) throw new Error(`${operation.name} emitted an event after its transaction.`);
  scope.woken.forEach((queue) => wake(queue));
  return reached;
}
