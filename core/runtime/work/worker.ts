import { shift, type Clock } from '../clock.js';
import type { Database } from '../database/session.js';
import { crashPoint } from '../fault.js';
import type { Log } from '../log.js';
import { fairBuffer } from './buffer.js';
import {
  claimRows,
  duePartitions,
  duePartitionsFrom,
  expiredFrom,
  leaseSeconds,
  releaseExpired,
  renewLeases,
  returnClaims,
  type DuePartition,
} from './claim.js';
import type { PollSource } from './poller.js';
import { lanes, postponeWork, type Claim, type WorkQueue } from './queue.js';
import { startLoop } from './loop.js';
import { createSleeper } from './sleeper.js';
import { createSlots } from './slots.js';
import { createPrefetch } from './prefetch.js';
import { createRoundRobin } from './round-robin.js';

export interface WorkerOptions {
  queue: WorkQueue;
  database: Database;
  clock: Clock;
  log: Log;
}

export interface Worker {
  readonly queue: string;
  /** What the process's poll looks for (poller.ts): due rows and expired leases. */
  readonly sources: readonly PollSource[];
  /** Work was committed: look now. */
  wake(): void;
  /** Resolves once a look that began after this call found nothing due and nothing is running. */
  idle(): Promise<void>;
  /** Claims no more, finishes what runs (25 s at most) and returns the claims that were not started. */
  stop(): Promise<void>;
}

/**
 * The least number of rows of one lane that are claimed ahead of free slots: enough to keep the slots busy, and few enough that a look
 * is short, because a sign-in code committed meanwhile waits for its end.
 */
const leastAhead = 256;
/** Rows claimed at once for one partition: an equal share of those, within these bounds. */
const [leastShare, largestShare] = [8, 64];
/** Partitions whose rows are claimed in one transaction. */
const partitionsAtOnce = 64;
const drainMs = 25_000;
const allLanes = Object.values(lanes);

/** Works on a queue: claims rows lane by lane, round-robin over partitions, performs them and renews their leases. */
export function startWorker({ queue, database, clock, log }: WorkerOptions): Worker {
  const buffer = fairBuffer();
  const running = new Map<Claim, Promise<void>>();
  const slots = createSlots(queue);
  const turns = createRoundRobin();
  const prefetch = createPrefetch(buffer);
  const rowsAhead = Math.max(leastAhead, 2 * queue.concurrency);
  const mostRows = Math.max(largestShare, rowsAhead / 4);
  let stopping = false;

  const perform = async (claim: Claim, freeSlot: () => void): Promise<void> => {
    try {
      await queue.perform(claim, freeSlot);
    } catch (error) {
      log.error(
        { err: error, queue: queue.name, id: claim.id, attempts: claim.attempts },
        'work failed and is postponed',
      );
      const seconds = Math.min(2 ** claim.attempts, 300);
      await postponeWork(database, queue, claim, shift(clock.now(), seconds * 1000)).catch((lost: unknown) => {
        log.warn(
          { err: lost, queue: queue.name, id: claim.id },
          'postponing failed; the row is free again when its lease expires',
        );
      });
    }
  };

  /** Starts claimed rows in the free slots. Each lane has its own slots, so bulk never delays a sign-in code. */
  const dispatch = (): void => {
    for (const lane of allLanes) {
      while (slots.free(lane) && !stopping) {
        const claim = buffer.next(lane, slots.allows);
        if (!claim) break;
        slots.take(claim);
        const freeSlot = (): void => {
          slots.give(claim);
          dispatch();
          if (prefetch.runLow(claim)) loop.wake();
        };
        const ended = perform(claim, freeSlot).finally(() => {
          running.delete(claim);
          slots.end(claim);
          dispatch();
          if (prefetch.runLow(claim) || buffer.count(claim.lane, claim.partitionId) === 0) loop.wake();
        });
        running.set(claim, ended);
      }
    }
  };

  /** Claims rows of some partitions of one lane and starts them as slots are free. @returns how many */
  const claim = async (partitions: readonly DuePartition[], limit: number): Promise<number> => {
    const claims = await claimRows(database, queue, partitions, limit, clock.now());
    crashPoint('work.claimed');
    await queue.prepare?.(claims).catch((error: unknown) => {
      log.warn({ err: error, queue: queue.name }, 'loading claimed rows together failed; each row is loaded by itself');
    });
    buffer.add(claims);
    prefetch.claimed(partitions, claims, limit);
    partitions.forEach(turns.had);
    dispatch();
    return claims.length;
  };

  /** @returns whether anything was due */
  const look = async (): Promise<boolean> => {
    const due = await duePartitions(database, queue, clock.now());
    for (const lane of allLanes) {
      const partitions = turns.order(due.filter((each) => each.lane === lane));
      const limit = Math.min(mostRows, Math.max(leastShare, Math.ceil(rowsAhead / partitions.length)));
      let room = rowsAhead - buffer.waiting(lane, slots.allows);
      while (partitions.length > 0 && room > 0 && !stopping) {
        const next = partitions
          .splice(0, Math.min(partitionsAtOnce, Math.ceil(room / limit)))
          .filter((each) => slots.allows(each) && prefetch.wants(each, limit));
        if (next.length > 0) room -= await claim(next, limit);
      }
    }
    return due.length > 0;
  };

  const loop = startLoop({ name: queue.name, log, look, isBusy: () => running.size > 0 });

  const keepLeases = async (): Promise<void> => {
    try {
      await renewLeases(database, queue, [...running.keys(), ...buffer.all()]);
    } catch (error) {
      log.warn({ err: error, queue: queue.name }, 'renewing leases failed');
    }
  };
  const renewal = setInterval(() => void keepLeases(), (leaseSeconds * 1000) / 6);

  const releaseLost = async (): Promise<void> => {
    try {
      if ((await releaseExpired(database, queue)) > 0) loop.wake();
    } catch (error) {
      log.warn({ err: error, queue: queue.name }, 'releasing expired leases failed');
    }
  };

  return {
    queue: queue.name,
    sources: [
      { from: duePartitionsFrom(queue), parameters: (now) => [now], found: loop.wake },
      { from: expiredFrom(queue), found: () => void releaseLost() },
    ],
    wake: loop.wake,
    idle: loop.idle,
    async stop() {
      stopping = true;
      await loop.stop();
      const patience = createSleeper(drainMs);
      void Promise.all(running.values()).then(() => patience.wake());
      if (running.size > 0) await patience.sleep();
      clearInterval(renewal);
      await returnClaims(database, queue, buffer.all()).catch((error: unknown) => {
        log.warn(
          { err: error, queue: queue.name },
          'returning claims failed; their rows are free again when the leases expire',
        );
      });
      await queue.close?.();
    },
  };
}
