import { setTimeout as pause } from 'node:timers/promises';
import { callOperation, type Answer, type CallTarget } from './call.js';
import { ApiError } from './errors.js';

/** If a refusal states no wait. */
const defaultWaitSeconds = 5;

interface PatientOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called before a wait that the server requested. */
  readonly onWait?: (error: ApiError, seconds: number) => void;
}

/**
 * Calls a read operation; if the server refuses temporarily, waits for the requested time and calls again. @throws
 * ApiError, CliError
 */
export async function patientCall(
  target: CallTarget,
  name: string,
  input: unknown,
  { signal, onWait }: PatientOptions = {},
): Promise<Answer> {
  for (;;) {
    try {
      return await callOperation(target, name, input, { signal });
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 429 && error.retryAfter === undefined)) throw error;
      // A time that has passed must not lead to calls without a pause.
      const seconds = Math.max(1, error.retryAfter ?? defaultWaitSeconds);
      onWait?.(error, seconds);
      await pause(seconds * 1000, undefined, { signal });
    }
  }
}
