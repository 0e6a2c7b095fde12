import { availableParallelism } from 'node:os';
import { refusalOf } from '#core/kernel/errors/common.js';
import { createThreadPool, RequestUnwanted, ThreadEnded, ThreadQueueFull } from '#core/runtime/thread-pool.js';
import type { HashReply, HashRequest } from './hash-thread.js';

/*
 * Passwords are hashed in threads of their own, one per core and at most eight, each of which takes 19 MiB while it hashes. A hash keeps a core
 * busy for 10 ms: more at once than cores finish no sooner, and delay every other call (measured on 2 cores: 186 hashes a second in two threads,
 * 131 in three, and the event loop's p99 delay grew from 3 to 20 ms). Node's own pool of four threads is left to files, DNS and crypto:
 * four hashes in it made each fs.stat wait 6 ms, and its size does not follow the cores.
 */
const threads = Math.min(availableParallelism(), 8);

/** How long a password may wait to be hashed; callers that would wait longer are refused at once. */
const maxWaitMs = 5_000;
/** How much of that the passwords of one environment may take. */
const environmentShare = 0.5;
/** Milliseconds of a hash before any was measured. */
const firstGuessMs = 12;

const maxWaiting = Math.ceil((maxWaitMs * threads) / firstGuessMs);

const pool = createThreadPool<HashRequest, HashReply>({
  module: new URL('./hash-thread.js', import.meta.url),
  maxThreads: threads,
  // Hashes are short, and partitions take turns: none needs a thread kept free for it.
  perPartition: threads,
  maxWaiting: Math.ceil(maxWaiting * environmentShare),
  // Formats that could take longer are refused at import (formats/format.ts).
  deadlineMs: 30_000,
  heapMb: 32,
});

let unfinished = 0;
/** Moving average of the milliseconds between two finished hashes of one thread, while others waited. */
let hashMs = firstGuessMs;
let lastFinished = 0;

function finished(): void {
  const now = performance.now();
  // With others waiting, `threads` hashes end in the time that one takes.
  if (unfinished > threads) hashMs += 0.05 * (Math.min((now - lastFinished) * threads, 1_000) - hashMs);
  lastFinished = now;
  unfinished -= 1;
}

const waitSeconds = (): number => Math.max(1, Math.round((unfinished * hashMs) / threads / 1_000));

const tooMany = (): Error =>
  refusalOf.unavailable({ problem: `too many passwords wait to be checked, for about ${waitSeconds()} s now` });

/**
 * Has a thread hash or check a password. Environments take turns.
 * @param isWanted whether the client still waits, asked when the turn comes
 * @throws unavailable, naming the wait, where too many wait
 */
export async function runHash(
  environmentId: string,
  request: HashRequest,
  isWanted?: () => boolean,
): Promise<Exclude<HashReply, { problem: string }>> {
  if (unfinished >= maxWaiting) throw tooMany();
  unfinished += 1;
  try {
    const reply = await pool.run(environmentId, request, isWanted);
    if ('problem' in reply) throw new Error(reply.problem);
    return reply;
  } catch (error) {
    if (error instanceof ThreadQueueFull) throw tooMany();
    if (error instanceof RequestUnwanted) throw refusalOf.unavailable({ problem: 'the client closed the connection' });
    if (error instanceof ThreadEnded)
      throw refusalOf.unavailable({ problem: `checking the password ${error.message}` });
    throw error;
  } finally {
    finished();
  }
}
