import { crashPoint } from '../fault.js';
import { fairBuffer } from './buffer.js';
import { claimRows, duePartitions, duePartitionsFrom, expiredFrom, type DuePartition } from './claim.js';
import { keepLeases, leaseNew } from './leases.js';
import { startLoop } from './loop.js';
import type { PollSource } from './poller.js';
import { partitionTurns } from './partition-turns.js';
import { createPrefetch } from './prefetch.js';
import { lanes, type Claim, type NewWork, postponeWork } from './queue.js';
import { createRoundRobin } from './round-robin.js';
import { createSleeper } from './sleeper.js';
import { createSlots } from './slots.js';
import type { WorkerOptions } from './worker-options.js';
import { shift } from '../clock.js';

const maxBackOffSeconds = 300;

/**
 * Does the work of one row. If it throws, the row is due again after 2, 4, 8 … seconds, 300 at most. It does not throw
 * itself.
 * @param freeSlot and `isStopping` see WorkQueue.perform
 */
async function performOrPostpone(
  { queue, database, clock, log }: WorkerOptions,
  claim: Claim,
  freeSlot: () => void,
  isStopping: () => boolean,
): Promise<void> {
  try {
    await queue.perform(claim, freeSlot, isStopping);
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

/** Background work as the platform controls it: the sequencer of events, and the worker of each queue. */
export interface Worker {
  readonly queue: string;
  /** The conditions for the process's shared poll (poller.ts): due rows and expired leases. */
  readonly sources: readonly PollSource[];
  /** Polls now. Call it after committing work. */
  wake(): void;
  /** Resolves when a poll that began after this call found nothing due and nothing is running. */
  idle(): Promise<void>;
  /** Stops claiming, waits up to 25 s for running rows and returns the claims that were not started. */
  stop(): Promise<void>;
}

/**
 * Rows that another part of this process inserts for this worker, leased from the start, which spares it claiming them.
 */
export interface LeasedInserts {
  /**
   * Leases rows of one lane that are about to be inserted (`enqueueLeasedStatement`).
   * @returns undefined if the worker has no room for them; insert them with `enqueueStatement` then, and wake the queue
   */
  lease(items: readonly NewWork[]): Claim[] | undefined;
  /**
   * Starts work on leased rows. Call it after COMMIT; until then, and if it is never called, they are not worked on.
   * Resolves when they have their place in the line.
   */
  start(claims: readonly Claim[]): Promise<void>;
}

type QueueWorker = Worker & LeasedInserts;

/**
 * The minimum number of rows of one lane to buffer: enough to keep the slots busy, and few enough that a poll stays
 * short, because a sign-in code committed during a poll waits for its end.
 */
const minBuffered = 256;
/** The bounds of the number of rows claimed for one partition at a time, which is an equal share of the buffer. */
const [minShare, maxShare] = [8, 64];
/** The largest number of partitions whose rows one transaction claims. */
const partitionsPerClaim = 64;
/**
 * How long a busy worker claims from the partitions that it knows to be due before it reads them again, in
 * milliseconds. A scan reads the whole index if the server's statistics are old, and a broadcast claims many times a
 * second. Work that is committed or found meanwhile does not wait: it has the partitions read at once.
 */
const knownForMs = 250;
/** How long a stop waits for running rows. */
const drainMs = 25_000;
const allLanes = Object.values(lanes);

/**
 * Starts a worker for a queue. It claims rows lane by lane, round-robin over owners and their partitions, performs them
 * and renews their leases.
 */
export function startWorker(options: WorkerOptions): QueueWorker {
  const { queue, database, clock, log } = options;
  const owners = partitionTurns(queue, log);
  const buffer = fairBuffer(owners.of);
  const running = new Map<Claim, Promise<void>>();
  const slots = createSlots(queue, owners.ownersOf);
  const turns = createRoundRobin(owners.of);
  const prefetch = createPrefetch(buffer);
  const bufferSize = Math.max(minBuffered, 2 * queue.concurrency);
  const maxClaim = Math.max(maxShare, bufferSize / 2);
  /** The partitions that probably have more due rows, and when they were read. */
  let known: readonly DuePartition[] = [];
  let readAt = -Infinity;
  let stopping = false;

  /** Starts work on a row, in its own slot. */
  const run = (claim: Claim): void => {
    slots.take(claim);
    const freeSlot = (): void => {
      slots.give(claim);
      dispatch();
      if (prefetch.isRunningLow(claim)) refill();
    };
    const ended = performOrPostpone(options, claim, freeSlot, () => stopping).finally(() => {
      running.delete(claim);
      slots.end(claim);
      dispatch();
      if (prefetch.isRunningLow(claim) || buffer.count(claim.lane, claim.partitionId) === 0) refill();
    });
    running.set(claim, ended);
  };

  /**
   * Starts buffered rows while slots are free. Each lane has its own slots, so bulk work never delays a sign-in code.
   */
  const dispatch = (): void => {
    for (const lane of allLanes) {
      while (slots.free(lane) && !stopping) {
        const claim = buffer.next(lane, (owner) => slots.isOpen(lane, owner), slots.allows);
        if (!claim) break;
        run(claim);
      }
    }
  };

  /** The rows that were claimed since the start. */
  let claimed = 0;

  /** Claims rows of partitions of one lane and starts as many as slots allow. @returns the number of claimed rows */
  const claim = async (partitions: readonly DuePartition[], limit: number): Promise<number> => {
    const certain = clock.isTrusted() ? undefined : clock.certain();
    const claims = await claimRows(database, queue, partitions, limit, clock.now(), certain);
    claimed += claims.length;
    crashPoint('work.claimed');
    if (claims.length > 0)
      await queue.prepare?.(claims).catch((error: unknown) => {
        log.warn(
          { err: error, queue: queue.name },
          'loading claimed rows in one batch failed; each row is loaded on its own',
        );
      });
    buffer.add(claims);
    const exhausted = prefetch.claimed(partitions, claims, limit);
    known = known.filter((each) => !exhausted.has(each));
    partitions.forEach(turns.recordTurn);
    dispatch();
    return claims.length;
  };

  const ownerOf = ({ partitionId }: DuePartition): string => owners.of(partitionId)[0] ?? partitionId;

  /**
   * Claims rows of one lane, until the buffer is full or every partition had its turn. An owner that has nothing in the
   * buffer may claim a few rows although it is full, so that it does not wait for the backlog of another owner.
   */
  const claimLane = async (lane: number, due: readonly DuePartition[]): Promise<void> => {
    const open = due.filter((each) => each.lane === lane && slots.isOpen(lane, ownerOf(each)));
    if (open.length === 0) return;
    const limit = Math.min(
      maxClaim,
      queue.claimAtOnce ?? maxClaim,
      Math.max(minShare, Math.ceil(bufferSize / open.length)),
    );
    const few = Math.min(limit, minShare);
    const claimable = open.filter((each) => prefetch.shouldClaim(each, limit) && slots.allows(each));
    const buffered = buffer.owners(lane);
    const unbuffered = new Set(claimable.map(ownerOf).filter((owner) => !buffered.has(owner)));
    let room = bufferSize - buffer.waiting(lane, slots.allows);
    let roomBeyond = bufferSize;
    let next: DuePartition[] = [];
    const claimNext = async (): Promise<void> => {
      const partitions = next;
      next = [];
      if (partitions.length === 0) return;
      if (room > 0) room -= await claim(partitions, limit);
      else roomBeyond -= await claim(partitions, few);
    };
    if (claimable.length === 0 || (room <= 0 && unbuffered.size === 0)) return;
    for (const partition of turns.order(claimable)) {
      const isFull = room <= 0;
      if (stopping || (isFull && (unbuffered.size === 0 || roomBeyond <= 0))) break;
      const isFirst = unbuffered.delete(ownerOf(partition));
      if (isFull && !isFirst) continue;
      next.push(partition);
      const rows = isFull ? roomBeyond / few : room / limit;
      if (next.length >= Math.min(partitionsPerClaim, Math.ceil(rows))) await claimNext();
    }
    if (!stopping) await claimNext();
  };

  /** @returns whether anything was due */
  const poll = async (): Promise<boolean> => {
    if (known.length === 0 || performance.now() - readAt > knownForMs) {
      [known, readAt] = [[], performance.now()];
      known = await duePartitions(database, queue, clock.now());
      await owners.load(known.map(({ partitionId }) => partitionId));
    }
    const due = known;
    const before = claimed;
    for (const lane of allLanes) await claimLane(lane, due);
    // Rows that are planned are not due while the time is not trusted, see claimRows.
    return due.length > 0 && (claimed > before || queue.plannedTime === undefined || clock.isTrusted());
  };

  const loop = startLoop({ name: queue.name, log, poll, isBusy: () => running.size > 0 });
  /** Claims more rows of partitions that are known to be due. */
  const refill = loop.wake;
  /** Reads which partitions are due, and claims their rows. */
  const wake = (): void => {
    readAt = -Infinity;
    loop.wake();
  };
  const leases = keepLeases(options, () => [...running.keys(), ...buffer.all()], wake);

  const hasRoom = (items: readonly NewWork[]): boolean => {
    const lane = items[0] && lanes[items[0].lane];
    return !stopping && lane !== undefined && buffer.waiting(lane, () => true) + items.length <= bufferSize;
  };

  /** Waits until the running rows have ended, for 25 s at most. */
  const drain = async (): Promise<void> => {
    if (running.size === 0) return;
    const sleeper = createSleeper(drainMs);
    void Promise.all(running.values()).then(() => sleeper.wake());
    await sleeper.sleep();
  };

  return {
    queue: queue.name,
    lease: (items) => (hasRoom(items) ? leaseNew(items) : undefined),
    async start(claims) {
      await owners.load(claims.map(({ partitionId }) => partitionId));
      buffer.add(claims);
      dispatch();
    },
    sources: [
      { from: duePartitionsFrom(queue), parameters: (now) => [now], found: wake },
      { from: expiredFrom(queue), found: () => void leases.releaseExpired() },
    ],
    wake,
    idle() {
      readAt = -Infinity;
      return loop.idle();
    },
    async stop() {
      stopping = true;
      await loop.stop();
      await drain();
      leases.stopRenewing();
      await leases.release(buffer.all());
      await queue.close?.();
    },
  };
}
