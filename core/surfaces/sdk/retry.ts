import type { SvcError } from './errors.js';
import type { FetchAnswer, Sleep } from './types.js';

/* When and how long to wait before a retry (docs/interface.md, Errors 6). */

/** Codes with a retryable status for which a retry fails too. */
const permanentCodes = new Set(['challenge_locked', 'provider_not_configured']);

/**
 * Statuses by which a gateway states that it got no answer from svc. The last six are Cloudflare's own, which no
 * standard defines.
 */
const gatewayStatuses = new Set([502, 504, 520, 521, 522, 523, 524, 530]);

/** The first wait of the exponential back-off. */
const initialBackoffMs = 500;
const maxBackoffMs = 8_000;

/**
 * Whether a retry may succeed: after no response, 408, 429 or 503, or while the first call is still running.
 * `gatewayStatuses` are retried only when a gateway sent them: a 502 from svc itself means that a provider rejected the
 * call.
 */
export function isRetryable({ status, code }: SvcError): boolean {
  if (code === 'connection_failed' || code === 'timed_out' || code === 'idempotency_in_progress') return true;
  if (code === 'unexpected_answer' && gatewayStatuses.has(status)) return true;
  return (status === 408 || status === 429 || status === 503) && !permanentCodes.has(code);
}

/**
 * The wait that the response asks for, in seconds: the header `retry-after` (seconds or a date), else “Wait 12 seconds”
 * in `fix`.
 */
export function retryAfterOf(headers: FetchAnswer['headers'], fix: string): number | undefined {
  const header = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(header)) return Number(header);
  const date = header === '' ? Number.NaN : Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - Date.now()) / 1000));
  const seconds = /\bwait (an?|\d+) seconds?\b/i.exec(fix)?.[1];
  if (seconds === undefined) return undefined;
  return /^\d/.test(seconds) ? Number(seconds) : 1;
}

/**
 * Milliseconds before the next attempt: the wait that the response asks for, otherwise exponential back-off with random
 * jitter (50 % to 100 % of the wait).
 * @param failures number of failed attempts so far, at least 1
 */
export function waitBefore(error: SvcError, failures: number, random: () => number): number {
  if (error.retryAfter !== undefined) return error.retryAfter * 1000;
  const backoff = Math.min(maxBackoffMs, initialBackoffMs * 2 ** (failures - 1));
  return Math.round(backoff / 2 + (backoff / 2) * random());
}

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export const sleepFor: Sleep = async (milliseconds, signal) => {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
};
