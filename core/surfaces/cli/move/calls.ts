import { randomUUID } from 'node:crypto';
import { callOperation, type CallTarget } from '../call.js';
import { ApiError } from '../errors.js';
import { setTimeout as pause } from 'node:timers/promises';

/** Calls at once: a key passes 600 requests a minute, so more would only wait. */
const callers = 8;

/** If a refusal states no wait. */
const defaultWaitSeconds = 5;
/** A limit of the key is over within a minute; a longer wait is for a person to know about. */
const longestWaitSeconds = 15 * 60;

export type Call = (name: string, input: object) => Promise<Readonly<Record<string, unknown>>>;

/** Calls operations, again after the requested time where the server refuses temporarily. @throws ApiError, CliError */
export const patientCalls =
  (target: CallTarget): Call =>
  async (name, input) => {
    const idempotencyKey = randomUUID();
    for (;;)
      try {
        return (await callOperation(target, name, input, { idempotencyKey })).result;
      } catch (error) {
        if (!(error instanceof ApiError) || (error.status !== 429 && error.retryAfter === undefined)) throw error;
        const seconds = error.retryAfter ?? defaultWaitSeconds;
        if (seconds > longestWaitSeconds) throw error;
        await pause(seconds * 1000);
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
