import type { Context } from 'koa';
import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { isConflict, isUnavailable, lossOf } from '#core/runtime/database/errors.js';
import type { Log } from '#core/runtime/log.js';
import { errorLink } from '../reference/anchors.js';

/**
 * Turns anything thrown into a declared error. Unexpected errors become internal_error; their details go only to the
 * log.
 */
export function asRefusal(error: unknown, requestId: string, log: Log): SvcError {
  if (error instanceof SvcError) return error;
  if (isUnavailable(error)) return refusalOf.unavailable({ problem: lossOf(error) });
  if (isConflict(error)) return refusalOf.unavailable({ problem: 'other calls are changing the same rows' });
  log.error({ err: error, requestId }, 'a request failed');
  return refusalOf.internal_error();
}

/** Answers with the error envelope. */
export function answerRefusal(context: Context, refusal: SvcError, requestId: string): void {
  const { code, message, fix, details, retryAfter } = refusal;
  context.status = refusal.status;
  context.type = 'application/json';
  context.body = JSON.stringify({ error: { code, message, fix, requestId, ...(details ? { details } : {}) } });
  context.set('Link', `<${errorLink(code)}>; rel="help"`); // RFC 8288; the page of the code
  if (retryAfter !== undefined) context.set('Retry-After', String(retryAfter));
  if (refusal.status === 401) context.set('WWW-Authenticate', 'Bearer'); // RFC 9110 §15.5.2: some clients fail without it
  if (refusal.status === 405) context.set('Allow', 'POST');
  // The rest of an oversized body is read and dropped: closing immediately would reset the connection while the client
  // is still writing, and the client would not see this answer. The server does not wait for a body that did not arrive
  // in time.
  if (refusal.status === 408) context.set('Connection', 'close');
}
