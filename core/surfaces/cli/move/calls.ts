import { randomUUID } from 'node:crypto';
import { callOperation, type CallTarget } from '../call.js';
import { ApiError, NoAnswer } from '../errors.js';
import type { Waits } from './waits.js';

/** Calls at once: a key passes 600 requests a minute, so more would only wait. */
const callers = 8;

/** If a refusal states no wait. */
const defaultWaitSeconds = 5;
/** A time that has passed must not lead to calls without a pause. */
const shortestWaitSeconds = 1;
/** A limit of the key is over within a minute; a longer wait is for a person to know about. */
const longestWaitSeconds = 15 * 60;

export type Call = (name: string, input: object) => Promise<Readonly<Record<string, unknown>>>;

/** Whether the server refused a call that it accepts later. */
const isTemporary = ({ status, code, retryAfter }: ApiError): boolean =>
  status === 429 || retryAfter !== undefined || code === 'unavailable' || code === 'idempotency_in_progress';

/**
 * Calls operations, again after a wait if the server refuses temporarily, or has answered before and is away now.
 * @throws ApiError, CliError; also if this takes longer than 15 minutes
 */
export function patientCalls(target: CallTarget, waits: Waits): Call {
  /** Before the first answer, the address may be wrong. */
  let hasAnswered = false;
  const mayRepeat = (error: unknown): error is ApiError | NoAnswer => {
    if (error instanceof NoAnswer) return hasAnswered;
    if (!(error instanceof ApiError)) return false;
    hasAnswered = true;
    return isTemporary(error);
  };
  return async (name, input) => {
    const idempotencyKey = randomUUID();
    let failingSince: number | undefined;
    for (;;)
      try {
        const { result } = await callOperation(target, name, input, { idempotencyKey });
        hasAnswered = true;
        return result;
      } catch (error) {
        if (!mayRepeat(error)) throw error;
        const seconds = Math.max(shortestWaitSeconds, error.retryAfter ?? defaultWaitSeconds);
        // By the clock: a call may wait for minutes before its connection is lost.
        failingSince ??= performance.now();
        if ((performance.now() - failingSince) / 1000 + seconds > longestWaitSeconds) throw error;
        await waits.wait(error, seconds);
      }
  };
}

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
