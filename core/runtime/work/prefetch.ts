import type { FairBuffer } from './buffer.js';
import type { DuePartition } from './claim.js';
import type { Claim } from './queue.js';

/** Which partitions' claimed rows run low while more are due: a partition with much to do is not let run dry between two looks. */
export interface Prefetch {
  claimed(partitions: readonly DuePartition[], claims: readonly Claim[], limit: number): void;
  /** Is a claim of up to `limit` rows in place? */
  wants(partition: DuePartition, limit: number): boolean;
  /** Has the partition few rows left, and are more to be expected? True once for each claim: another look is on its way then. */
  runLow(partition: DuePartition): boolean;
}

const nameOf = ({ lane, partitionId }: DuePartition): string => `${lane} ${partitionId}`;

export function createPrefetch(buffer: FairBuffer): Prefetch {
  /** Partitions whose last claim was full, and the count from which on they want another. */
  const lows = new Map<string, number>();
  return {
    claimed(partitions, claims, limit) {
      const found = new Map<string, number>();
      for (const claim of claims) found.set(nameOf(claim), (found.get(nameOf(claim)) ?? 0) + 1);
      for (const name of partitions.map(nameOf)) {
        if ((found.get(name) ?? 0) >= limit) lows.set(name, limit / 2);
        else lows.delete(name);
      }
    },
    wants: ({ lane, partitionId }, limit) => buffer.count(lane, partitionId) <= limit / 2,
    runLow(partition) {
      const name = nameOf(partition);
      const low = lows.get(name);
      return low !== undefined && buffer.count(partition.lane, partition.partitionId) <= low && lows.delete(name);
    },
  };
}
