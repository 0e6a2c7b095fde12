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
 * Passwords are hashed in separate threads (SVC_PASSWORD_THREADS; by default one per core, at most eight), each of
 * which takes 19 MiB while it hashes. A hash keeps a core busy for 10 ms. Running more hashes than there are cores does
 * not finish them sooner, and delays every other call (measured on 2 cores: 186 hashes a second in two threads, 131 in
 * three, and the event loop's p99 delay grew from 3 to 20 ms). Node's own pool of four threads is left to files, DNS
 * and crypto: four hashes in it made each fs.stat wait 6 ms, and its size does not depend on the number of cores.
 *
 * The threads belong to the process: deployments that run in the same process, as in tests, share them.
 */
const size = { threads: Math.min(availableParallelism(), 8) };

/**
 * Sets how many threads hash passwords in this process. It has an effect only until the first password is hashed,
 * because the threads start with it.
 * @param threads undefined for one per core, at most eight
 */
export function setHashThreads(threads: number | undefined): void {
  if (threads !== undefined) size.threads = threads;
}

/** How long a password may wait to be hashed. Callers that would wait longer are refused immediately. */
const maxWaitMs = 5_000;
/** The share of that time that the passwords of one environment may take. */
const environmentShare = 0.5;
/** The assumed duration of a hash, in milliseconds, before any was measured. */
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
    // Hashes are short and partitions take turns, so no partition needs a reserved thread.
    perPartition: threads,
    maxWaiting: Math.ceil(maxWaiting * environmentShare),
    // Formats that could take longer are refused during import (formats/format.ts).
    cpuMs: 10_000,
    heapMb: 32,
  });
  return { run, threads, maxWaiting };
}

let started: HashPool | undefined;
const pool = (): HashPool => (started ??= createPool());

let unfinished = 0;
/** Moving average of the milliseconds between two finished hashes of one thread, while others were waiting. */
let hashMs = firstGuessMs;
let lastFinished = 0;

function finished({ threads }: HashPool): void {
  const now = performance.now();
  // If others are waiting, `threads` hashes end in the time that one takes.
  if (unfinished > threads) hashMs += 0.05 * (Math.min((now - lastFinished) * threads, 1_000) - hashMs);
  lastFinished = now;
  unfinished -= 1;
}

const waitSeconds = ({ threads }: HashPool): number => Math.max(1, Math.round((unfinished * hashMs) / threads / 1_000));

const tooMany = (of: HashPool): Error =>
  refusalOf.unavailable({
    problem: `too many passwords are waiting to be checked, for about ${waitSeconds(of)} s now`,
  });

/**
 * Hashes or checks a password in a thread. Environments take turns.
 * @param isWanted whether the client is still waiting, checked when its turn comes
 * @throws unavailable with the waiting time, if too many are waiting
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
