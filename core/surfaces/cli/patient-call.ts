import { setTimeout as pause } from 'node:timers/promises';
import { callOperation, type Answer, type CallTarget } from './call.js';
import { ApiError, NoAnswer } from './errors.js';

/** If a refusal states no wait. */
const defaultWaitSeconds = 5;
/** A longer wait is cut: after 24.8 days, a timer of Node overflows and calls again at once. */
const longestWaitSeconds = 24 * 60 * 60;
/** A server that restarts or moves is back by then. */
const longestAwayMs = 5 * 60_000;

interface PatientOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called before a wait that the server requested. */
  readonly onWait?: (error: ApiError, seconds: number) => void;
  /** The server has answered before: if it cannot be reached now, it is asked again for up to five minutes. */
  readonly hasAnswered?: boolean;
}

/**
 * Calls a read operation; if the server refuses temporarily, waits for the requested time and calls again. @throws
 * ApiError, CliError
 */
export async function patientCall(
  target: CallTarget,
  name: string,
  input: unknown,
  { signal, onWait, hasAnswered = false }: PatientOptions = {},
): Promise<Answer> {
  const began = performance.now();
  for (;;) {
    try {
      return await callOperation(target, name, input, { signal });
    } catch (error) {
      const isAway = error instanceof NoAnswer && hasAnswered && performance.now() - began < longestAwayMs;
      const isRefused = error instanceof ApiError && (error.status === 429 || error.retryAfter !== undefined);
      if (!isAway && !isRefused) throw error;
      // A time that has passed must not lead to calls without a pause.
      const seconds = Math.min(longestWaitSeconds, Math.max(1, error.retryAfter ?? defaultWaitSeconds));
      if (isRefused) onWait?.(error, seconds);
      await pause(seconds * 1000, undefined, { signal });
    }
  }
}
