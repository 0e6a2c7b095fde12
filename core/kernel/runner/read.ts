import type { Reader } from '#core/runtime/database/connection.js';
import { isUnavailable } from '#core/runtime/database/errors.js';
import { ShareExhausted } from '#core/runtime/database/pool/fair-share.js';
import { readSeconds, withTimeLimit } from '#core/runtime/database/time-limit.js';
import { isTenant, type Caller } from '../caller/caller.js';
import { isRefusal } from '../errors/errors.js';
import { holderOf } from '../limits/holder-of.js';
import type { Operation } from '../operation.js';
import type { Answer, Call } from '../call.js';
import { callerFor, handlerContext } from './handler-context.js';
import type { RunnerOptions } from './options.js';
import { readOn } from './read-on.js';
import { envelope } from './reply.js';
import { openScope } from './scope.js';

/** Whether the read counts as a long one, see Definition.mayTakeLong. */
const isLong = (operation: Operation, input: unknown): boolean => operation.mayTakeLong?.(input) === true;

/**
 * Runs a read: on one connection at most, without a transaction, without an audit record. Every call takes from its
 * account's share of the connections, and each statement of a read has a time limit. A read that may compute for a long
 * time first waits for its turn. A list reads on after a page without rows (see readOn).
 */
export async function runRead(options: RunnerOptions, call: ReadCall, caller: Caller): Promise<Answer> {
  const { operation, input } = call;
  const holder = holderOf(caller);
  const run = (): Promise<Page> => readAnywhere(options, call, caller);
  const first = isLong(operation, input) && isTenant(caller) ? await options.longReads.run(holder, run) : await run();
  let { asOf } = first;
  const { reply } = await readOn(operation, input, first, async (next) => {
    const page = await options.longReads.tryRun(holder, () => readAnywhere(options, { ...call, input: next }, caller));
    if (page?.asOf && (!asOf || page.asOf < asOf)) asOf = page.asOf;
    return page;
  });
  const body = envelope(operation, '', reply, options.strictReplies);
  return { body, replayed: false, ...(asOf && { asOf }) };
}

/** What a handler replied. */
interface Page {
  readonly reply: unknown;
  /** If it was read from a replica. */
  readonly asOf?: Date | undefined;
}

type ReadCall = Pick<Call, 'operation' | 'input' | 'maxAgeSeconds'>;

/** How old the answer may be, in milliseconds. */
function maxAgeMs({ operation: { mayBeOld }, maxAgeSeconds }: ReadCall): number {
  if (mayBeOld === undefined) return 0;
  if (maxAgeSeconds === undefined) return mayBeOld === 'by default' ? Infinity : 0;
  return maxAgeSeconds * 1000;
}

/** A refusal that took longer was not quick to compute: the primary would take as long. */
const quickMs = 1_000;

/**
 * Reads from a replica if the answer may be that old, otherwise from the primary. What the replica refuses is read
 * again from the primary: the replica may be down, or not have what the input names.
 */
async function readAnywhere(options: RunnerOptions, call: ReadCall, caller: Caller): Promise<Page> {
  const { database, replicas } = options;
  const holder = holderOf(caller);
  const replica = replicas?.openReader(holder, maxAgeMs(call));
  if (!replica) return readOnce(options, call, caller, database.openReader(holder));
  const began = performance.now();
  try {
    return { ...(await readOnce(options, call, caller, replica)), asOf: replica.asOf };
  } catch (error) {
    const isQuick = performance.now() - began < quickMs;
    if (error instanceof ShareExhausted || !(isQuick || isUnavailable(error))) throw error;
    replica.failed(error);
    return readOnce(options, call, caller, database.openReader(holder));
  }
}

async function readOnce(
  shared: RunnerOptions,
  { operation, input }: ReadCall,
  caller: Caller,
  { session, release }: Reader,
): Promise<Page> {
  try {
    const facts = { db: session, caller, activityId: '', product: operation.product, readOnly: true };
    const scope = openScope({ ...shared, ...facts });
    const reply = await operation.handle(input, handlerContext(scope, operation));
    if (isRefusal(reply)) throw reply.refusal;
    return { reply };
  } finally {
    release();
  }
}

/**
 * Runs the operation's `prepare`, if it has one. Each of its statements takes its own connection, so it holds none
 * during network calls. One that may read for seconds waits for other writes of this kind, never for reads.
 */
export function runPrepare(
  { database, ...shared }: RunnerOptions,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<unknown> | undefined {
  const { prepare } = operation;
  if (!prepare) return undefined;
  const reader = withTimeLimit(database.sessionOf(holderOf(caller)), database.flavour, readSeconds);
  const facts = { db: reader, caller, activityId: '', product: operation.product, readOnly: true };
  const { db, clock, deployment, vault, use, fail } = openScope({ ...shared, ...facts }).context;
  const { http, log } = shared.services;
  const run = (): Promise<unknown> =>
    prepare(input, { caller: callerFor(caller), db, clock, deployment, vault, use, http, log, fail });
  return isLong(operation, input) && isTenant(caller) ? shared.longWrites.run(holderOf(caller), run) : run();
}
