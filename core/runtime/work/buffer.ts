import type { Claim } from './queue.js';

/** Claimed rows that wait for a slot, taken round-robin over partitions. */
export interface FairBuffer {
  add(claims: readonly Claim[]): void;
  /**
   * Removes and returns the next row of a lane: the oldest of the first partition that `allows` accepts. That partition
   * then moves to the end of the queue.
   */
  next(lane: number, allows: (claim: Claim) => boolean): Claim | undefined;
  /** The number of buffered rows of one partition and lane. */
  count(lane: number, partitionId: string): number;
  /** The number of buffered rows of a lane whose partitions `allows` accepts. */
  waiting(lane: number, allows: (claim: Claim) => boolean): number;
  /** All buffered rows. */
  all(): Claim[];
}

export function fairBuffer(): FairBuffer {
  const queues = new Map<number, Map<string, Claim[]>>();
  const queueOf = (lane: number): Map<string, Claim[]> => {
    const queue = queues.get(lane) ?? new Map<string, Claim[]>();
    queues.set(lane, queue);
    return queue;
  };
  return {
    add(claims) {
      for (const claim of claims) {
        const queue = queueOf(claim.lane);
        const waiting = queue.get(claim.partitionId);
        if (waiting) waiting.push(claim);
        else queue.set(claim.partitionId, [claim]);
      }
    },
    next(lane, allows) {
      const queue = queueOf(lane);
      for (const [partitionId, claims] of queue) {
        if (!claims[0] || !allows(claims[0])) continue;
        const claim = claims.shift();
        queue.delete(partitionId);
        if (claims.length > 0) queue.set(partitionId, claims);
        return claim;
      }
      return undefined;
    },
    count: (lane, partitionId) => queues.get(lane)?.get(partitionId)?.length ?? 0,
    waiting: (lane, allows) =>
      [...queueOf(lane).values()].reduce(
        (sum, claims) => sum + (claims[0] && allows(claims[0]) ? claims.length : 0),
        0,
      ),
    all: () => [...queues.values()].flatMap((queue) => [...queue.values()].flat()),
  };
}
