import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from './errors.js';

/** A server did not answer in time. It may hang, or the network to it. */
export class NoAnswer extends DatabaseUnavailable {
  override name = 'NoAnswer';
}

/**
 * Waits for an answer.
 * @throws NoAnswer if there is none within `ms`; the answer's own error
 */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = pause(ms, undefined, { signal: timer.signal }).then(async () => {
    // If this process was busy for that time, the answer is here and has not been read.
    await nextTurn();
    throw new NoAnswer(`It did not answer within ${ms / 1000} s.`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    late.catch(() => undefined);
    answer.catch(() => undefined);
    timer.abort();
  }
}
