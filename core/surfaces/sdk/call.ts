import { baseUrlOf } from './base-url.js';
import { isSvcError } from './errors.js';
import { newIdempotencyKey } from './idempotency-key.js';
import { numberOption } from './number-option.js';
import { isRetryable, sleepFor, waitBefore } from './retry.js';
import { attempt } from './transport.js';
import type { CallOptions, Envelope, Fetch, OperationFacts, SvcOptions } from './types.js';

/** Calls an operation by its name, with retries. */
export type Caller = (name: string, input: unknown, options?: CallOptions) => Promise<Envelope<unknown>>;

const pathOf = (name: string): string => name.split('.').map(encodeURIComponent).join('/');

const globalFetch: Fetch = (url, init) => fetch(url, init);

/**
 * Creates the function that makes all calls. Operations that are not retry-safe, or that this version does not know,
 * get an Idempotency-Key, the same for all attempts of a call (docs/interface.md, Calls 4): a call whose response was
 * lost does not run twice.
 */
export function createCaller(settings: SvcOptions, operations: Readonly<Record<string, OperationFacts>>): Caller {
  const base = baseUrlOf(settings, 'new Svc()');
  const { apiKey, maxRetries = 2, maxWaitMs = 60_000, random = Math.random, sleep = sleepFor } = settings;
  numberOption('maxRetries', maxRetries);
  numberOption('maxWaitMs', maxWaitMs);
  const defaultTimeoutMs = numberOption('timeoutMs', settings.timeoutMs ?? 30_000);

  const headersFor = (name: string, options: CallOptions): Record<string, string> => {
    const facts = Object.hasOwn(operations, name) ? operations[name] : undefined;
    const isRetrySafe = facts?.retrySafe === true || facts?.read === true;
    const key = options.idempotencyKey ?? (isRetrySafe ? undefined : newIdempotencyKey());
    const environmentId = options.environmentId ?? settings.environmentId;
    return {
      'Content-Type': 'application/json',
      ...(apiKey === undefined || apiKey === '' ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...(environmentId === undefined ? {} : { 'Svc-Environment': environmentId }),
      ...(options.maxAgeSeconds === undefined ? {} : { 'Svc-Max-Age': String(options.maxAgeSeconds) }),
    };
  };

  return async (name, input, options = {}) => {
    const { signal, timeoutMs = defaultTimeoutMs } = options;
    numberOption('timeoutMs', timeoutMs);
    if (options.maxAgeSeconds !== undefined) numberOption('maxAgeSeconds', options.maxAgeSeconds);
    const request = {
      operation: name,
      url: `${base}/${pathOf(name)}`,
      headers: headersFor(name, options),
      body: JSON.stringify(input ?? {}),
      timeoutMs,
      signal,
    };
    for (let failures = 1; ; failures += 1) {
      try {
        return await attempt(settings.fetch ?? globalFetch, request);
      } catch (error) {
        if (!isSvcError(error) || !isRetryable(error) || failures > maxRetries) throw error;
        const wait = waitBefore(error, failures, random);
        if (wait > maxWaitMs) throw error;
        await sleep(wait, signal);
      }
    }
  };
}
