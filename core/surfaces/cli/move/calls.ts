import { randomUUID } from 'node:crypto';
import { callOperation, type CallTarget } from '../call.js';
import { ApiError } from '../errors.js';
import type { Waits } from './waits.js';

/** Calls at once: a key passes 600 requests a minute, so more would only wait. */
const callers = 8;

/** If a refusal states no wait. */
const defaultWaitSeconds = 5;
/** A limit of the key is over within a minute; a longer wait is for a person to know about. */
const longestWaitSeconds = 15 * 60;

export type Call = (name: string, input: object) => Promise<Readonly<Record<string, unknown>>>;

/** Whether the same call is answered later. */
const isTemporary = ({ status, code, retryAfter }: ApiError): boolean =>
  status === 429 || retryAfter !== undefined || code === 'unavailable' || code === 'idempotency_in_progress';

/**
 * Calls operations, again after the requested time if the server refuses temporarily.
 * @throws ApiError, also if a call is refused for longer than 15 minutes; CliError
 */
export const patientCalls =
  (target: CallTarget, waits: Waits): Call =>
  async (name, input) => {
    const idempotencyKey = randomUUID();
    let waited = 0;
    for (;;)
      try {
        return (await callOperation(target, name, input, { idempotencyKey })).result;
      } catch (error) {
        if (!(error instanceof ApiError) || !isTemporary(error)) throw error;
        const seconds = error.retryAfter ?? defaultWaitSeconds;
        waited += seconds;
        if (waited > longestWaitSeconds) throw error;
        await waits.wait(error, seconds);
      }
  };

/** Does work for each of the items, several at once. The first failure ends it. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const state = { hasFailed: false };
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (state.hasFailed) return;
      try {
        await work(item);
      } catch (error) {
        state.hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, worker));
}

/** Whether the server refused the input, and not the caller or the call. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 404, 409, 410, 413, 422].includes(error.status);
