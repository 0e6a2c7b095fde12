import { refusalOf } from '#core/kernel/errors/common.js';
import { ThreadQueueFull, ThreadStarved } from '#core/runtime/thread-pool.js';

/**
 * Tells the sender of mail that could not be parsed now to send it again.
 * @throws unavailable for ThreadQueueFull and ThreadStarved; any other error as it is
 */
export function askedToRepeat(error: unknown): never {
  if (error instanceof ThreadQueueFull) throw refusalOf.unavailable({ problem: 'too much mail is arriving at once' });
  if (error instanceof ThreadStarved) throw refusalOf.unavailable({ problem: 'the machine is too busy' });
  throw error;
}
