import type { FairBuffer } from './buffer.js';
import type { DuePartition } from './claim.js';
import type { Claim } from './queue.js';

/**
 * Decides when to claim more rows of a partition before its buffered rows are used up, so that a busy partition always
 * has rows to work on.
 */
interface Prefetch {
  /**
   * Records a claim of up to `limit` rows for each of `partitions`, and the rows it returned.
   * @returns the partitions that had fewer
   */
  claimed(partitions: readonly DuePartition[], claims: readonly Claim[], limit: number): Set<DuePartition>;
  /** Whether to claim up to `limit` rows now: at most half as many are buffered. */
  shouldClaim(partition: DuePartition, limit: number): boolean;
  /**
   * Whether few rows are buffered and more are probably due. True once per claim, because the caller then starts a
   * poll.
   */
  isRunningLow(partition: DuePartition): boolean;
}

const keyOf = ({ lane, partitionId }: DuePartition): string => `${lane} ${partitionId}`;

export function createPrefetch(buffer: FairBuffer): Prefetch {
  /** Partitions whose last claim was full, with the number of buffered rows at which to claim again. */
  const thresholds = new Map<string, number>();
  return {
    claimed(partitions, claims, limit) {
      const counts = new Map<string, number>();
      for (const claim of claims) counts.set(keyOf(claim), (counts.get(keyOf(claim)) ?? 0) + 1);
      const exhausted = new Set<DuePartition>();
      for (const partition of partitions) {
        const key = keyOf(partition);
        if ((counts.get(key) ?? 0) >= limit) thresholds.set(key, limit / 2);
        else {
          thresholds.delete(key);
          exhausted.add(partition);
        }
      }
      return exhausted;
    },
    shouldClaim: ({ lane, partitionId }, limit) => buffer.count(lane, partitionId) <= limit / 2,
    isRunningLow(partition) {
      const key = keyOf(partition);
      const threshold = thresholds.get(key);
      return (
        threshold !== undefined &&
        buffer.count(partition.lane, partition.partitionId) <= threshold &&
        thresholds.delete(key)
      );
    },
  };
}
