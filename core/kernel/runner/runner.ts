import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { isConflict, isConnectionLost } from '#core/runtime/database/errors.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { isTenant, type Caller } from '../caller/caller.js';
import type { Authenticator } from '../caller/lookup.js';
import { pageCaller } from '../caller/page-caller.js';
import { authorise, resolveCaller } from '../caller/resolve.js';
import type { HandlerContext } from '../context.js';
import type { Deployment } from '../deployment.js';
import { refusalOf } from '../errors/common.js';
import { isRefusal } from '../errors/errors.js';
import { idempotencyKey, type IdempotencyKey } from '../idempotency/key.js';
import { createRecentKeys } from '../idempotency/recent-keys.js';
import { claimRefused, claimStatement, KeyIsTaken, storeStatement, storedAnswer } from '../idempotency/store.js';
import type { KeyRateLimiter } from '../limits/key-rate-limit.js';
import { checkLimits } from '../limits/check.js';
import type { Operation } from '../operation.js';
import type { Registry } from '../registry.js';
import type { WorkerServices } from '../worker-services.js';
import { cutToSchema } from '../schema/cut.js';
import { inputProblem, replyProblem } from '../schema/validate.js';
import type { Answer, Call } from './call.js';
import { openScope, type Scope } from './scope.js';

export interface RunnerOptions {
  registry: Registry;
  database: ConnectedDatabase;
  clock: Clock;
  vault: Vault;
  deployment: Deployment;
  keyRateLimiter: KeyRateLimiter;
  lookup: Authenticator;
  wake: (queue: string) => void;
  /** For `prepare` and `finish`, which call out. */
  services: WorkerServices;
  /** Tests: a reply that does not fit its schema, or carries more, fails the call. In production the surplus is cut. */
  strictReplies: boolean;
}

/** How long a repeat waits for a `finish` that died. */
const finishLeaseSeconds = 60;

/** Runs calls, in the order that house.md gives: one direction, no way back. */
export function createRunner(options: RunnerOptions): (call: Call) => Promise<Answer> {
  const { registry, database, clock, vault, deployment, keyRateLimiter, lookup } = options;
  const shared = { registry, clock, vault, deployment };
  /** Keys whose claim is open in this process: most racers are refused here, and take no connection for a transaction. */
  const claimed = new Set<string>();
  const recentKeys = createRecentKeys();

  const handlerContext = ({ context }: Scope, operation: Operation, prepared: unknown): HandlerContext => {
    const { caller } = context;
    if (caller.kind === 'system') throw new Error(`${operation.name} was called without a caller.`);
    return { ...context, caller: callerFor(caller), prepared };
  };

  const envelope = (operation: Operation, activityId: string, reply: unknown): string => {
    const surplus: string[] = [];
    const result = cutToSchema(operation.output, reply, (path) => surplus.push(path));
    if (options.strictReplies) {
      const problem = surplus[0] ?? replyProblem(operation.output, JSON.parse(JSON.stringify(result)));
      if (problem !== undefined) throw new Error(`${operation.name} answered what its schema does not say: ${problem}`);
    }
    return JSON.stringify({ activityId, result });
  };

  const read = async (operation: Operation, input: unknown, caller: Caller): Promise<Answer> => {
    const { session, release } = await database.acquire();
    try {
      const facts = { db: session, caller, activityId: '', product: operation.product, readOnly: true };
      const scope = openScope({ ...shared, ...facts });
      const reply = await operation.handle(input, handlerContext(scope, operation, undefined));
      if (isRefusal(reply)) throw reply.refusal;
      return { body: envelope(operation, '', reply), replayed: false };
    } finally {
      await release();
    }
  };

  const prepare = (operation: Operation, input: unknown, caller: Caller): Promise<unknown> | undefined => {
    const facts = { db: database, caller, activityId: '', product: operation.product, readOnly: true };
    const { db, use, fail } = openScope({ ...shared, ...facts }).context;
    const { http } = options.services;
    return operation.prepare?.(input, { db, caller: callerFor(caller), clock, deployment, vault, use, http, fail });
  };

  /** What an operation does after its COMMIT: on the pool, since the transaction's own connection is given back. */
  const finish = async (operation: Operation, reply: unknown, caller: Caller, activityId: string): Promise<unknown> => {
    const scope = openScope({ ...shared, db: database, caller, activityId, product: operation.product });
    const { db, use, fail, refuse } = scope.context;
    const { services } = options;
    const facts = { caller: callerFor(caller), clock, deployment, vault, services };
    const finished = await operation.finish?.(reply, { ...facts, db, use, fail, refuse });
    if (scope.closing(undefined).length > 0)
      throw new Error(`${operation.name} emitted an event after its transaction.`);
    scope.woken.forEach((queue) => options.wake(queue));
    return finished;
  };

  const write = async (
    operation: Operation,
    input: unknown,
    caller: Caller,
    key: IdempotencyKey | undefined,
  ): Promise<Answer> => {
    const prepared = await prepare(operation, input, caller);
    const activityId = newId();
    const keep = key !== undefined && operation.showsSecret !== 'never stored' ? key : undefined;
    const stored = { vault, seal: operation.showsSecret === 'stored encrypted', activityId };
    const done = await database.transact({
      ...(keep ? { opening: claimStatement(database, keep, activityId), openingRefused: claimRefused } : {}),
      work: async (db) => {
        const scope = openScope({ ...shared, db, caller, activityId, product: operation.product });
        const reply = await operation.handle(input, handlerContext(scope, operation, prepared));
        return { scope, reply, body: isRefusal(reply) ? '' : envelope(operation, activityId, reply) };
      },
      closing: ({ scope, reply, body }) => {
        crashPoint('commit.before');
        const { name, accountWide, summary } = operation;
        if (isRefusal(reply)) {
          const free = keep ? [{ sql: 'DELETE FROM svc_idempotency WHERE id = ?', parameters: [keep.id] }] : [];
          return [...scope.closing(undefined), ...free];
        }
        const leaseSeconds = operation.finish ? finishLeaseSeconds : undefined;
        const answer = keep ? [storeStatement(keep, body, { ...stored, leaseSeconds })] : [];
        return [...scope.closing({ operation: name, accountWide: accountWide === true, summary }), ...answer];
      },
      // A locking read: it waits for a COMMIT that is still under way.
      hasCommitted: async (db) =>
        (await db.rows('SELECT id FROM svc_activity WHERE id = ? FOR UPDATE', [idBytes(activityId)])).length > 0,
    });
    crashPoint('commit.after');
    done.scope.woken.forEach((queue) => options.wake(queue));
    if (isRefusal(done.reply)) throw done.reply.refusal;
    if (!operation.finish) return { body: done.body, replayed: false };
    const store = async (body: string): Promise<void> => {
      if (!keep) return;
      const { sql, parameters } = storeStatement(keep, body, stored);
      await database.run(sql, parameters);
    };
    try {
      const body = envelope(operation, activityId, await finish(operation, done.reply, caller, activityId));
      await store(body);
      return { body, replayed: false };
    } catch (error) {
      // What was committed stands. A repeat gets the handler's own answer now, and not only when the lease has run out.
      await store(done.body).catch(() => undefined);
      throw error;
    }
  };

  /** The write, unless the key has an answer already: a replay ends before the operation's own checks. */
  const writeOnce = async (call: Call, caller: Caller): Promise<Answer> => {
    const { operation, input } = call;
    const key =
      call.idempotencyKey === undefined ? undefined : idempotencyKey(call.idempotencyKey, operation, caller, input);
    if (!key) return write(operation, input, caller, undefined);
    const name = key.id.toString('hex');
    if (operation.prepare || claimed.has(name) || recentKeys.has(key)) {
      const stored = await storedAnswer(database, vault, key);
      if (stored !== undefined) return { body: stored, replayed: true };
    }
    if (claimed.has(name)) throw refusalOf.idempotency_in_progress();
    claimed.add(name);
    try {
      const answer = await write(operation, input, caller, key);
      recentKeys.add(key);
      return answer;
    } catch (error) {
      if (!(error instanceof KeyIsTaken)) throw error;
      recentKeys.add(key);
      const meanwhile = await storedAnswer(database, vault, key);
      if (meanwhile === undefined) throw refusalOf.idempotency_in_progress();
      return { body: meanwhile, replayed: true };
    } finally {
      claimed.delete(name);
    }
  };

  const run = async (call: Call): Promise<Answer> => {
    const { operation, input, inProcess, request } = call;
    const caller = inProcess
      ? pageCaller(operation, inProcess.environment, request)
      : await resolveCaller(operation, call, lookup, deployment.products);
    if (isTenant(caller) && !inProcess) await keyRateLimiter.take(caller.id);
    authorise(operation, caller);
    const problem = inputProblem(operation.input, input);
    if (problem) throw problem;
    await checkLimits(database, inProcess?.limits ?? operation.limits ?? [], caller, clock);
    return operation.impact.read ? read(operation, input, caller) : writeOnce(call, caller);
  };

  return async (call) => {
    try {
      return await run(call);
    } catch (error) {
      if (isConnectionLost(error)) throw refusalOf.unavailable({ problem: 'its database cannot be reached' });
      // Tried again and again, and others were in the way each time: nothing of it is committed.
      if (isConflict(error)) throw refusalOf.unavailable({ problem: 'others are changing the same things' });
      throw error;
    }
  };
}

/** A handler's caller is typed by its operation's access, which `resolveCaller` has just seen to. */
function callerFor(caller: Caller): HandlerContext['caller'];
function callerFor(caller: Caller): unknown {
  return caller;
}
