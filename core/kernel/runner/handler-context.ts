import type { Caller } from '../caller/caller.js';
import type { HandlerContext } from '../context.js';
import type { Operation } from '../operation.js';
import type { Scope } from './scope.js';

/** A handler's caller is typed by its operation's access, which the runner's `admit` and `resolveUser` have checked. */
export function callerFor(caller: Caller): HandlerContext['caller'];
export function callerFor(caller: Caller): unknown {
  return caller;
}

/** What a write's handler gets in addition to its scope; a read has none of it. */
type OfWrite = Partial<Pick<HandlerContext<unknown, never, never>, 'prepared' | 'idempotencyKey'>>;

export function handlerContext({ context }: Scope, operation: Operation, ofWrite: OfWrite = {}): HandlerContext {
  const { caller } = context;
  if (caller.kind === 'system') throw new Error(`${operation.name} was called without a caller.`);
  const { prepared, idempotencyKey } = ofWrite;
  return { ...context, caller: callerFor(caller), prepared, idempotencyKey };
}
