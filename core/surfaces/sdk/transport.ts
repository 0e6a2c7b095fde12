import { readAnswer } from './answer.js';
import { SvcError } from './errors.js';
import type { Envelope, Fetch } from './types.js';

/** One attempt of a call. */
export interface Try {
  readonly operation: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends one request and reads the whole response within `timeoutMs`.
 * @throws SvcError for an error response, or without a response; the signal's reason when it is aborted
 */
export async function attempt(fetch: Fetch, request: Try): Promise<Envelope<unknown>> {
  const { operation, url, headers, body, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  // Not AbortSignal.any: older browsers lack it. The listener is removed at the end, however long the signal lives.
  const inner = new AbortController();
  const abort = (): void => inner.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => inner.abort(), timeoutMs);
  try {
    const { answer, text } = await sent();
    return readAnswer(operation, answer, text);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }

  async function sent(): Promise<{ answer: Awaited<ReturnType<Fetch>>; text: string }> {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, signal: inner.signal });
      return { answer, text: await answer.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      throw unanswered(operation, cause, inner.signal.aborted ? timeoutMs : undefined);
    }
  }
}

const unanswered = (operation: string, cause: unknown, timeoutMs: number | undefined): SvcError =>
  new SvcError({
    code: timeoutMs === undefined ? 'connection_failed' : 'timed_out',
    status: 0,
    message:
      timeoutMs === undefined
        ? `${operation} got no answer: ${cause instanceof Error ? cause.message : 'the connection failed'}.`
        : `${operation} got no answer within ${timeoutMs} ms.`,
    fix: 'Check that the server at baseUrl runs and can be reached, then call again with the same idempotencyKey.',
    requestId: '',
    operation,
    cause,
  });
