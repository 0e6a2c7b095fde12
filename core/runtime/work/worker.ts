import { shift, type Clock } from '../clock.js';
import type { Database } from '../database/session.js';
import { crashPoint } from '../fault.js';
import type { Log } from '../log.js';
import { fairBuffer } from './buffer.js';
import {
  claimRows,
  duePartitions,
  leaseSeconds,
  releaseExpired,
  renewLeases,
  returnClaims,
  type DuePartition,
} from './claim.js';
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
  /** How often to look without being woken: other processes' commits are seen within this. */
  pollMs?: number;
}

export interface Worker {
  readonly queue: string;
  /** Work was committed: look now. */
  wake(): void;
  /** Resolves once a look that began after this call found nothing due and nothing is in work. */
  idle(): Promise<void>;
  /** Claims no more, finishes what runs (25 s at most) and gives back what was not begun. */
  stop(): Promise<void>;
}

/**
 * Rows of one lane that are claimed ahead of the slots, at least: enough to keep those busy, and few enough that a look is short, since
 * a sign-in code that is committed meanwhile waits for its end.
 */
const ahead = 256;
/** Rows claimed at once for one partition: a fair part of those, within these bounds. */
const [fewest, most] = [8, 64];
/** Partitions whose rows one transaction claims. */
const together = 64;
const drainMs = 25_000;
const everyLane = Object.values(lanes);

/** Works on a queue: claims by lane and partition in turn, performs, renews leases. */
export function startWorker({ queue, database, clock, log, pollMs = 250 }: WorkerOptions): Worker {
  const buffer = fairBuffer();
  const running = new Map<Claim, Promise<void>>();
  const slots = createSlots(queue);
  const turns = createRoundRobin();
  const supplies = createPrefetch(buffer);
  const aheadRows = Math.max(ahead, 2 * queue.concurrency);
  const mostRows = Math.max(most, aheadRows / 4);
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
        log.warn({ err: lost, queue: queue.name, id: claim.id }, 'postponing failed; the lease runs out by itself');
      });
    }
  };

  /** Fills the free slots. A lane's slots are its own, so bulk never holds up a sign-in code. */
  const dispatch = (): void => {
    for (const lane of everyLane) {
      while (slots.free(lane) && !stopping) {
        const claim = buffer.next(lane, slots.allows);
        if (!claim) break;
        slots.take(claim);
        const freeSlot = (): void => {
          slots.give(claim);
          dispatch();
          if (supplies.runLow(claim)) loop.wake();
        };
        const ended = perform(claim, freeSlot).finally(() => {
          running.delete(claim);
          slots.end(claim);
          dispatch();
          if (supplies.runLow(claim) || buffer.count(claim.lane, claim.partitionId) === 0) loop.wake();
        });
        running.set(claim, ended);
      }
    }
  };

  /** Claims for some partitions, of one lane, and hands the rows to the slots. @returns how many */
  const claim = async (partitions: readonly DuePartition[], limit: number): Promise<number> => {
    const claims = await claimRows(database, queue, partitions, limit, clock.now());
    crashPoint('work.claimed');
    await queue.prepare?.(claims).catch((error: unknown) => {
      log.warn({ err: error, queue: queue.name }, 'reading ahead failed; each row is read by itself');
    });
    buffer.add(claims);
    supplies.claimed(partitions, claims, limit);
    partitions.forEach(turns.had);
    dispatch();
    return claims.length;
  };

  /** @returns whether anything was due */
  const look = async (): Promise<boolean> => {
    const due = await duePartitions(database, queue, clock.now());
    for (const lane of everyLane) {
      const partitions = turns.order(due.filter((each) => each.lane === lane));
      const limit = Math.min(mostRows, Math.max(fewest, Math.ceil(aheadRows / partitions.length)));
      let room = aheadRows - buffer.waiting(lane, slots.allows);
      while (partitions.length > 0 && room > 0 && !stopping) {
        const next = partitions
          .splice(0, Math.min(together, Math.ceil(room / limit)))
          .filter((each) => slots.allows(each) && supplies.wants(each, limit));
        if (next.length > 0) room -= await claim(next, limit);
      }
    }
    return due.length > 0;
  };

  const loop = startLoop({ name: queue.name, log, pollMs, look, isBusy: () => running.size > 0 });

  const keepLeases = async (): Promise<void> => {
    try {
      await renewLeases(database, queue, [...running.keys(), ...buffer.all()]);
      if ((await releaseExpired(database, queue)) > 0) loop.wake();
    } catch (error) {
      log.warn({ err: error, queue: queue.name }, 'renewing leases failed');
    }
  };
  const keeper = setInterval(() => void keepLeases(), (leaseSeconds * 1000) / 6);
  void keepLeases();

  return {
    queue: queue.name,
    wake: loop.wake,
    idle: loop.idle,
    async stop() {
      stopping = true;
      await loop.stop();
      const patience = createSleeper(drainMs);
      void Promise.all(running.values()).then(() => patience.wake());
      if (running.size > 0) await patience.sleep();
      clearInterval(keeper);
      await returnClaims(database, queue, buffer.all()).catch((error: unknown) => {
        log.warn({ err: error, queue: queue.name }, 'giving leases back failed; they run out by themselves');
      });
      await queue.close?.();
    },
  };
}
