import { isSvcError, SvcError } from '../../sdk/errors.js';
import { isRetryable } from '../../sdk/retry.js';

/*
 * What fails because the server cannot be reached, for example while it restarts, is tried again by itself: reads
 * (read.ts), and the start and the parts of the app (attempt.ts).
 */

const repeatMs = 3_000;

/** @returns the wait before the next try; undefined if it would fail too, or if the server itself has a problem */
export const repeatAfter = (error: unknown): number | undefined =>
  isSvcError(error) && isRetryable(error) ? Math.max(repeatMs, (error.retryAfter ?? 0) * 1000) : undefined;

/** Whether the server refuses it for good. A repeat may pass after a lost connection or a server error. */
export const isFinal = (error: unknown): boolean => isSvcError(error) && !isRetryable(error) && error.status < 500;

/** The error for what got no answer. Browsers only say “Failed to fetch”. */
export const unreachable = (cause: unknown): SvcError =>
  new SvcError({
    code: 'connection_failed',
    status: 0,
    message: 'The server cannot be reached.',
    fix: 'Try again in a moment.',
    requestId: '',
    operation: '',
    cause,
  });

/** The error for a status that svc did not send, such as the 503 of a proxy. */
const failed = (status: number): SvcError =>
  new SvcError({
    code: 'unexpected_answer',
    status,
    message: `The server answered with status ${status}.`,
    fix: status >= 500 ? 'Try again in a moment.' : 'Reload the page.',
    requestId: '',
    operation: '',
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Asks the server for JSON at an address other than an operation's.
 * @param isAnswer whether the JSON is from svc
 * @throws SvcError if the server does not answer, or answers with another status than 2xx
 * @throws Error if somebody else answers
 */
export async function askServer<T>(
  address: string,
  isAnswer: (value: unknown) => value is T,
  init?: RequestInit,
): Promise<T> {
  const lost = (cause: unknown): never => {
    throw unreachable(cause);
  };
  const answer = await fetch(address, init).catch(lost);
  if (!answer.ok) throw failed(answer.status);
  const found = parsed(await answer.text().catch(lost));
  if (!isAnswer(found))
    throw new Error('The answer is not from svc. Check the proxies in front of it, and reload the page.');
  return found;
}

/** @throws SvcError if the server cannot be reached */
async function reachServer(): Promise<void> {
  const answer = await fetch('/console', { method: 'HEAD', cache: 'no-store' }).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  if (!answer.ok) throw failed(answer.status);
}

/**
 * Loads a part of the app from its file. Browsers do not say why a file did not load.
 * @param load the dynamic import
 * @throws SvcError if the server cannot be reached, or if it can and the part does not load
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await reachServer();
    return load().catch((cause: unknown) => {
      throw new SvcError({
        code: 'part_not_loaded',
        status: 0,
        message: 'A part of the console could not be loaded.',
        fix: 'Try again. If that does not help, the server may have a newer version: save what you typed, then reload the page.',
        requestId: '',
        operation: '',
        cause,
      });
    });
  }
}
