import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '../errors.js';

/**
 * Waits for an answer.
 * @throws DatabaseUnavailable if there is none within `ms`; the answer's own error
 */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = pause(ms, undefined, { signal: timer.signal }).then(async () => {
    // If this process was busy for so long, the answer is here and has not been read.
    await nextTurn();
    throw new DatabaseUnavailable(`It did not answer within ${ms / 1000} s.`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    late.catch(() => undefined);
    answer.catch(() => undefined);
    timer.abort();
  }
}
