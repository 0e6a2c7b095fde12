import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from '../errors.js';

/**
 * Shorter than a lease (30 s): rows that were claimed before the connection was lost are then still leased to this
 * process.
 */
const patienceMs = 15_000;
const retryMs = 500;

/**
 * Runs `run` again while the database cannot be reached, for 15 s at most. It is for outcomes of completed work: losing
 * them means doing the work twice.
 * @throws the error of `run`, after the database answers or the time has passed
 */
export async function retryWhileUnreachable<T>(run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() - began > patienceMs) throw error;
      await pause(retryMs);
    }
  }
}
