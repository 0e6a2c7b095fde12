import { availableParallelism } from 'node:os';
import { refusalOf } from '#core/kernel/errors/common.js';
import {
  createThreadPool,
  RequestUnwanted,
  ThreadEnded,
  ThreadQueueFull,
  ThreadStarved,
  type ThreadPool,
} from '#core/runtime/thread-pool.js';
import type { HashReply, HashRequest } from './hash-thread.js';

/*
 * Passwords are hashed in threads of their own (SVC_PASSWORD_THREADS; one per core and at most eight by default), each of which takes 19 MiB while it hashes. A hash keeps a core
 * busy for 10 ms: more at once than cores finish no sooner, and delay every other call (measured on 2 cores: 186 hashes a second in two threads,
 * 131 in three, and the event loop's p99 delay grew from 3 to 20 ms). Node's own pool of four threads is left to files, DNS and crypto:
 * four hashes in it made each fs.stat wait 6 ms, and its size does not follow the cores.
 *
 * They belong to the process: deployments that share one, as in tests, share them.
 */
const size = { threads: Math.min(availableParallelism(), 8) };

/**
 * Sets how many threads hash passwords in this process. It counts until the first password is hashed; the threads start with it.
 * @param threads one per core, at most eight, where it is undefined
 */
export function setHashThreads(threads: number | undefined): void {
  if (threads !== undefined) size.threads = threads;
}

/** How long a password may wait to be hashed; callers that would wait longer are refused at once. */
const maxWaitMs = 5_000;
/** How much of that the passwords of one environment may take. */
const environmentShare = 0.5;
/** Milliseconds of a hash before any was measured. */
const firstGuessMs = 12;

interface HashPool extends ThreadPool<HashRequest, HashReply> {
  readonly threads: number;
  readonly maxWaiting: number;
}

function createPool(): HashPool {
  const { threads } = size;
  const maxWaiting = Math.ceil((maxWaitMs * threads) / firstGuessMs);
  const { run } = createThreadPool<HashRequest, HashReply>({
    module: new URL('./hash-thread.js', import.meta.url),
    maxThreads: threads,
    // Hashes are short, and partitions take turns: none needs a thread kept free for it.
    perPartition: threads,
    maxWaiting: Math.ceil(maxWaiting * environmentShare),
    // Formats that could take longer are refused at import (formats/format.ts).
    cpuMs: 10_000,
    heapMb: 32,
  });
  return { run, threads, maxWaiting };
}

let started: HashPool | undefined;
const pool = (): HashPool => (started ??= createPool());

let unfinished = 0;
/** Moving average of the milliseconds between two finished hashes of one thread, while others waited. */
let hashMs = firstGuessMs;
let lastFinished = 0;

function finished({ threads }: HashPool): void {
  const now = performance.now();
  // With others waiting, `threads` hashes end in the time that one takes.
  if (unfinished > threads) hashMs += 0.05 * (Math.min((now - lastFinished) * threads, 1_000) - hashMs);
  lastFinished = now;
  unfinished -= 1;
}

const waitSeconds = ({ threads }: HashPool): number => Math.max(1, Math.round((unfinished * hashMs) / threads / 1_000));

const tooMany = (of: HashPool): Error =>
  refusalOf.unavailable({ problem: `too many passwords wait to be checked, for about ${waitSeconds(of)} s now` });

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
  const hashing = pool();
  if (unfinished >= hashing.maxWaiting) throw tooMany(hashing);
  unfinished += 1;
  try {
    const reply = await hashing.run(environmentId, request, isWanted);
    if ('problem' in reply) throw new Error(reply.problem);
    return reply;
  } catch (error) {
    if (error instanceof ThreadQueueFull) throw tooMany(hashing);
    if (error instanceof RequestUnwanted) throw refusalOf.unavailable({ problem: 'the client closed the connection' });
    if (error instanceof ThreadEnded || error instanceof ThreadStarved)
      throw refusalOf.unavailable({ problem: `checking the password ${error.message}` });
    throw error;
  } finally {
    finished(hashing);
  }
}
