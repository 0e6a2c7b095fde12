import type { SvcError } from './errors.js';
import type { FetchAnswer, Sleep } from './types.js';

/** Waits the stated seconds, or backs off exponentially when none are stated (docs/interface.md, Limits 2). */

/** Codes with a retryable status for which a retry fails too. */
const permanentCodes = new Set(['challenge_locked', 'provider_not_configured']);

const firstMs = 500;
const longestMs = 8_000;

/**
 * Whether a retry may succeed: no response, 408, 429, 503, or a call that is still running. 502 and 504 only from a gateway: a 502 of svc
 * itself means that a provider refused.
 */
export function isRetryable({ status, code }: SvcError): boolean {
  if (code === 'connection_failed' || code === 'timed_out' || code === 'idempotency_in_progress') return true;
  if (code === 'unexpected_answer' && (status === 502 || status === 504)) return true;
  return (status === 408 || status === 429 || status === 503) && !permanentCodes.has(code);
}

/** Seconds to wait as stated by the response: the header `retry-after` (seconds or a date), else “Wait 12 seconds” in `fix`. */
export function statedSeconds(headers: FetchAnswer['headers'], fix: string): number | undefined {
  const header = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(header)) return Number(header);
  const date = header === '' ? Number.NaN : Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - Date.now()) / 1000));
  const stated = /\bwait (an?|\d+) seconds?\b/i.exec(fix)?.[1];
  if (stated === undefined) return undefined;
  return /^\d/.test(stated) ? Number(stated) : 1;
}

/**
 * Milliseconds before the next attempt: as stated by the response, otherwise exponential back-off with random jitter between half and
 * all of it.
 * @param failures attempts that failed so far, from 1
 */
export function waitBefore(error: SvcError, failures: number, random: () => number): number {
  if (error.retryAfter !== undefined) return error.retryAfter * 1000;
  const full = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  return Math.round(full / 2 + (full / 2) * random());
}

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export const sleepFor: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whoever aborts chooses the reason, as with fetch
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
