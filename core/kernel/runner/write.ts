import { crashPoint } from '#core/runtime/fault.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Caller } from '../caller/caller.js';
import { isRefusal } from '../errors/errors.js';
import type { IdempotencyKey } from '../idempotency/key.js';
import { claimRefused, claimStatement, freeStatement, storeStatement } from '../idempotency/store.js';
import { checkLimits } from '../limits/check.js';
import { holderOf } from '../limits/holder-of.js';
import type { Operation } from '../operation.js';
import type { Answer } from '../call.js';
import { runFinish } from './finish.js';
import { handlerContext } from './handler-context.js';
import type { RunnerOptions } from './options.js';
import { runPrepare } from './read.js';
import { envelope } from './reply.js';
import { openScope } from './scope.js';

/** How long repeats are refused with idempotency_in_progress after the process died during `finish`. */
const finishLeaseSeconds = 60;

/**
 * Runs a write: prepare, then one transaction that claims the key, runs the handler and commits rows, audit record,
 * events and stored answer together; then `finish`.
 * @param given the call's Idempotency-Key; a text if only the handler uses it, and no answer is stored
 * @throws KeyIsTaken if another call has the key; the operation's refusal
 */
export async function runWrite(
  options: RunnerOptions,
  operation: Operation,
  input: unknown,
  caller: Caller,
  given: IdempotencyKey | string | undefined,
): Promise<Answer> {
  const key = typeof given === 'string' ? undefined : given;
  const { database, strictReplies, ...shared } = options;
  const prepared = await runPrepare(options, operation, input, caller);
  const activityId = newId();
  const done = await database.transact(
    {
      ...(key ? { opening: claimStatement(database, key, { activityId }), openingRefused: claimRefused } : {}),
      work: async (db) => {
        const scope = openScope({ ...shared, db, caller, activityId, product: operation.product });
        const facts = { prepared, idempotencyKey: typeof given === 'string' ? given : given?.text };
        const reply = await operation.handle(input, handlerContext(scope, operation, facts));
        const limits = operation.limits?.filter(({ acceptedOnly }) => acceptedOnly) ?? [];
        if (limits.length > 0 && !isRefusal(reply)) await checkLimits(db, limits, scope.context, input);
        if (!isRefusal(reply)) await scope.assignPositions();
        return { scope, reply, body: isRefusal(reply) ? '' : envelope(operation, activityId, reply, strictReplies) };
      },
      closing: ({ scope, reply, body }, replaceOpening) => {
        crashPoint('commit.before');
        const { name, accountWide, summary } = operation;
        if (isRefusal(reply)) return [...scope.closing(undefined), ...(key ? [freeStatement(key, activityId)] : [])];
        const written = scope.closing({ operation: name, accountWide: accountWide === true, summary });
        if (!key) return written;
        if (replaceOpening && !operation.finish) {
          replaceOpening(claimStatement(database, key, { activityId, answer: body }));
          return written;
        }
        const leaseSeconds = operation.finish ? finishLeaseSeconds : 0;
        return [...written, storeStatement(key, body, { activityId, leaseSeconds })];
      },
      // A locking read: it waits for a COMMIT that is still in progress.
      hasCommitted: async (db) =>
        (await db.rows('SELECT id FROM svc_activity WHERE id = ? FOR UPDATE', [idBytes(activityId)])).length > 0,
    },
    holderOf(caller),
  );
  crashPoint('commit.after');
  options.eventCounts.add(done.scope.written());
  done.scope.woken.forEach((queue) => options.wake(queue));
  if (isRefusal(done.reply)) throw done.reply.refusal;
  const answer = { body: done.body, replayed: false };
  if (!operation.finish) return answer;
  return runFinish(options, operation, { reply: done.reply, answer, caller, key, activityId });
}
