import { isConflict, isConnectionLost, lossOf } from '#core/runtime/database/errors.js';
import { isTenant, type Caller } from '../caller/caller.js';
import { pageCaller } from '../caller/page-caller.js';
import { authorise, resolveCaller } from '../caller/resolve.js';
import { checkNeeds, resolveUser } from '../caller/user.js';
import { refusalOf } from '../errors/common.js';
import { checkLimits } from '../limits/check.js';
import { inputProblem } from '../schema/validate.js';
import type { Answer, Call } from './call.js';
import type { RunnerOptions } from './options.js';
import { runRead } from './read.js';
import { createWriter } from './replay.js';
import { openScope } from './scope.js';

/**
 * Runs calls, each through the same steps in the same order: caller, limit per key, permission, input, end user, the operation's limits, then
 * the read, or the stored answer or the write (docs/architecture.md, “How a request travels”).
 */
export function createRunner(options: RunnerOptions): (call: Call) => Promise<Answer> {
  const { database, clock, deployment, keyRateLimiter, lookup } = options;
  const write = createWriter(options);

  const limit = (call: Call, caller: Caller): Promise<void> | undefined => {
    const limits = call.inProcess?.limits ?? call.operation.limits?.filter(({ acceptedOnly }) => !acceptedOnly) ?? [];
    if (limits.length === 0) return undefined;
    const facts = { db: database, caller, activityId: '', product: call.operation.product, readOnly: true };
    return checkLimits(database, limits, openScope({ ...options, ...facts }).context, call.input);
  };

  const run = async (call: Call): Promise<Answer> => {
    const { operation, input, inProcess, request } = call;
    const bearer = inProcess
      ? pageCaller(operation, inProcess.environment, request)
      : await resolveCaller(operation, call, lookup, deployment.products);
    if (isTenant(bearer) && !inProcess) await keyRateLimiter.take(bearer.lineage);
    authorise(operation, bearer);
    const problem = inputProblem(operation.input, input);
    if (problem) throw problem;
    const caller = await resolveUser(operation, bearer, input, lookup);
    checkNeeds(operation, caller, clock);
    await limit(call, caller);
    return operation.impact.read ? runRead(options, operation, input, caller) : write(call, caller);
  };

  return async (call) => {
    try {
      return await run(call);
    } catch (error) {
      if (isConnectionLost(error)) throw refusalOf.unavailable({ problem: lossOf(error) });
      // Every retry met a conflict, so nothing was committed.
      if (isConflict(error)) throw refusalOf.unavailable({ problem: 'others are changing the same things' });
      throw error;
    }
  };
}
