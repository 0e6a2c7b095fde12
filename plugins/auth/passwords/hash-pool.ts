import { availableParallelism } from 'node:os';
import { refusalOf } from '#core/kernel/errors/common.js';
import { createThreadPool, ThreadEnded, ThreadStarved, type ThreadPool } from '#core/runtime/thread-pool.js';
import { createHashTurns, type Asking, type HashTurns } from './hash-turns.js';
import type { HashReply, HashRequest } from './hash-thread.js';

/*
 * Passwords are hashed in separate threads (SVC_PASSWORD_THREADS; by default one per core, at most eight), each of
 * which takes 19 MiB while it hashes. A hash keeps a core busy for 10 ms. Running more hashes than there are cores does
 * not finish them sooner, and delays every other call (measured on 2 cores: 186 hashes a second in two threads, 131 in
 * three, and the event loop's p99 delay grew from 3 to 20 ms). Node's own pool of four threads is left to files, DNS
 * and crypto: four hashes in it made each fs.stat wait 6 ms, and its size does not depend on the number of cores.
 *
 * Hashes of other systems may take a hundred times as long. They have their own threads, in two classes, with
 * priorities that are so low that the others hardly notice them.
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

/** The highest cost of a quick hash, in milliseconds: twice that of svc's own. */
const quickMs = 30;
/** The highest cost of most hashes that people import, in milliseconds: more than bcrypt of cost 12. */
const usualMs = 400;

interface Lane {
  readonly pool: ThreadPool<HashRequest, HashReply>;
  readonly turns: HashTurns;
  readonly nice: number;
  /** The work of one account that may be unfinished, in milliseconds. */
  readonly accountMs: number;
  readonly perAccount: number;
  /** Unfinished work by account, in milliseconds. */
  readonly unfinished: Map<string, number>;
}

/** @param waitMs how long the passwords of one account may take that are not checked yet; others are refused */
function createLane(threads: number, nice: number, waitMs: number): Lane {
  // One thread is always free for other accounts.
  const perAccount = Math.max(1, threads - 1);
  const pool = createThreadPool<HashRequest, HashReply>({
    module: new URL('./hash-thread.js', import.meta.url),
    maxThreads: threads,
    perPartition: threads,
    // A hash is sent to the pool only when it has its turn, so none waits there.
    maxWaiting: threads,
    // Formats that could take longer are refused during import (formats/format.ts).
    cpuMs: 10_000,
    heapMb: 32,
  });
  const turns = createHashTurns({ threads, perAccount });
  return { pool, turns, nice, accountMs: waitMs * perAccount, perAccount, unfinished: new Map() };
}

let started: { readonly quick: Lane; readonly usual: Lane; readonly slow: Lane } | undefined;
const lanes = () =>
  (started ??= {
    // The nice values: on a busy core a quick hash gets a third of the time that the event loop gets, and each further
    // lane a third of the time that the lane before it gets.
    quick: createLane(size.threads, 5, 5_000),
    usual: createLane(Math.max(2, size.threads), 10, 20_000),
    slow: createLane(Math.max(2, size.threads), 15, 20_000),
  });

function laneOf(cost: number): Lane {
  const { quick, usual, slow } = lanes();
  if (cost <= quickMs) return quick;
  return cost <= usualMs ? usual : slow;
}

/** Whose password it is, and whether the client is still waiting. */
export interface HashAsker extends Asking {
  /** The client's address group, if the client has no secret: anybody may call so. */
  readonly stranger?: string | undefined;
  readonly isWanted?: (() => boolean) | undefined;
}

/** The part of an account's unfinished work that one stranger may cause. */
const strangerShare = 1 / 4;

/**
 * Runs the hashes of one call, if its account's other calls leave time for them.
 * @param costs of all hashes that the call may compute, in milliseconds
 * @throws unavailable with the waiting time; any error of `work`
 */
export async function withHashTime<T>(
  { accountId, stranger }: HashAsker,
  costs: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  const wanted = new Map<Lane, number>();
  for (const cost of costs) wanted.set(laneOf(cost), (wanted.get(laneOf(cost)) ?? 0) + cost);
  const limits = [...wanted].flatMap(([{ unfinished, accountMs, perAccount }, ms]) => {
    const whole = { unfinished, perAccount, ms, key: accountId, most: accountMs };
    if (stranger === undefined) return [whole];
    return [whole, { ...whole, key: `${accountId}|${stranger}`, most: accountMs * strangerShare }];
  });
  for (const { unfinished, perAccount, ms, key, most } of limits) {
    const before = unfinished.get(key) ?? 0;
    if (before === 0 || before + ms <= most) continue;
    const seconds = Math.max(1, Math.round(before / perAccount / 1_000));
    throw refusalOf.unavailable({
      problem: `too many passwords are waiting to be checked, for about ${seconds} s now`,
    });
  }
  const change = (sign: 1 | -1): void => {
    for (const { unfinished, ms, key } of limits) {
      const now = (unfinished.get(key) ?? 0) + sign * ms;
      // Sums of fractions are not exact.
      if (now > 0.001) unfinished.set(key, now);
      else unfinished.delete(key);
    }
  };
  change(1);
  try {
    return await work();
  } finally {
    change(-1);
  }
}

/** The reply of a thread to a request without problems. */
export type Hashed = Exclude<HashReply, { problem: string }>;

/**
 * Computes one hash in a thread. Accounts take turns by the time that they use, then their environments.
 * @param cost in milliseconds
 * @throws unavailable if the client has left, or the machine is too busy
 */
export async function runHash(
  asker: HashAsker,
  request: { readonly hash: string } | { readonly verify: string; readonly stored: string },
  cost: number,
): Promise<Hashed> {
  const { pool, turns, nice } = laneOf(cost);
  const release = await turns.take(asker, cost);
  try {
    if (asker.isWanted?.() === false) throw refusalOf.unavailable({ problem: 'the client closed the connection' });
    const reply = await pool.run([asker.accountId], { ...request, nice });
    if ('problem' in reply) throw new Error(reply.problem);
    return reply;
  } catch (error) {
    if (error instanceof ThreadEnded || error instanceof ThreadStarved)
      throw refusalOf.unavailable({ problem: `checking the password ${error.message}` });
    throw error;
  } finally {
    release();
  }
}
