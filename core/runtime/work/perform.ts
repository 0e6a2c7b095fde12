import { shift } from '../clock.js';
import { postponeWork, type Claim } from './queue.js';
import type { WorkerOptions } from './worker-options.js';

const maxBackOffSeconds = 300;

/**
 * Does the work of one row. If it throws, the row is due again after 2, 4, 8 … seconds, 300 at most. It does not throw
 * itself.
 * @param freeSlot see WorkQueue.perform
 */
export async function performOrPostpone(
  { queue, database, clock, log }: WorkerOptions,
  claim: Claim,
  freeSlot: () => void,
): Promise<void> {
  try {
    await queue.perform(claim, freeSlot);
  } catch (error) {
    log.error(
      { err: error, queue: queue.name, id: claim.id, attempts: claim.attempts },
      'work failed and is postponed',
    );
    const seconds = Math.min(2 ** claim.attempts, maxBackOffSeconds);
    await postponeWork(database, queue, claim, shift(clock.now(), seconds * 1000)).catch((lost: unknown) => {
      log.warn(
        { err: lost, queue: queue.name, id: claim.id },
        'postponing failed; the row is released when its lease expires',
      );
    });
  }
}
