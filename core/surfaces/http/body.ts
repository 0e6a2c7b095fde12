import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isTenant, type Caller, type RequestFacts } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { collectBytes } from '#core/runtime/collected-bytes.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { holderOf, strangerHolder } from '#core/kernel/limits/holder-of.js';
import { createBodyBudget, type BodyShare } from './body-budget.js';
import { maxNames, type BodySender } from './json-scan.js';

/** Default time limit for a body to arrive. */
const defaultArrivalMs = 30_000;

interface BodyOptions {
  /** In bytes. */
  limit: number;
  request: RequestFacts;
  /** The caller, if it is known before the body is read. */
  caller?: Caller | undefined;
}

/**
 * Reads a request's body and answers it with `use`; until then the body counts against the budget of body-budget.ts.
 * @throws body_too_large as soon as it exceeds `limit` bytes, request_timeout when it does not arrive in time,
 *   rate_limited when the budget is used up
 */
export type WithBody = <T>(
  incoming: IncomingMessage,
  options: BodyOptions,
  use: (bytes: Buffer) => Promise<T>,
) => Promise<T>;

/** @param arrivalMs how long a body may take to arrive */
export function createBodyReader(arrivalMs = defaultArrivalMs): WithBody {
  const budget = createBodyBudget();
  return async (incoming, { limit, request, caller }, use) => {
    const share = budget(caller ? holderOf(caller) : strangerHolder(request.ip), addressGroup(request.ip));
    try {
      return await use(await readBody(incoming, limit, arrivalMs, share));
    } finally {
      share.close();
    }
  };
}

/** Whom the parsing of a body counts for, and its limits. */
export const senderOf = (caller: Caller): BodySender => ({
  holder: holderOf(caller),
  maxNames: isTenant(caller) && !caller.publishable ? maxNames.secret : maxNames.public,
});

/** Between two chunks of dropped bodies, of all requests together: 32 MiB a second at most. */
const dropMs = 2;
let dropped: Promise<unknown> = Promise.resolve();

/**
 * Reads and drops the rest of a refused body, so that the client receives the answer even if it writes everything
 * first. It reads slowly: at full speed, large bodies of callers without a key would delay the calls of others.
 */
export function dropRest(request: IncomingMessage): void {
  request.on('error', () => undefined);
  request.on('data', () => {
    request.pause();
    dropped = dropped.then(() => pause(dropMs)).then(() => request.resume());
  });
  request.resume();
}

function readBody(request: IncomingMessage, limit: number, arrivalMs: number, share: BodyShare): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit)
    return Promise.reject(refusalOf.body_too_large({ limit }));
  return new Promise((resolve, reject) => {
    const collected = collectBytes();
    let size = 0;
    const settle = (): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('error', late).off('close', late);
    };
    const refuse = (error: unknown): void => {
      settle();
      dropRest(request);
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const late = (): void => refuse(refusalOf.request_timeout({ seconds: Math.ceil(arrivalMs / 1000) }));
    const timer = setTimeout(late, arrivalMs);
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      try {
        if (size > limit) throw refusalOf.body_too_large({ limit });
        share.add(chunk.length);
        collected.add(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    const end = (): void => {
      settle();
      // A connection that breaks while its call runs.
      request.on('error', () => undefined);
      resolve(collected.whole());
    };
    // An error or a close: the client disconnected. Nobody reads this answer; it only ends the request.
    request.on('data', take).on('end', end).on('error', late).on('close', late);
    if (request.destroyed) late();
  });
}
