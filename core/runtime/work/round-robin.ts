import type { DuePartition } from './claim.js';

/** Orders partitions round-robin within each lane, so that a partition waits for at most one turn of every other. */
export interface RoundRobin {
  /** Returns the partitions of one lane in turn order, starting after the last one recorded. */
  order(partitions: readonly DuePartition[]): DuePartition[];
  /** Records that a partition had its turn. */
  recordTurn(partition: DuePartition): void;
}

export function createRoundRobin(): RoundRobin {
  const last = new Map<number, string>();
  return {
    order(partitions) {
      const sorted = [...partitions].sort((a, b) => (a.partitionId < b.partitionId ? -1 : 1));
      const before = sorted[0] && last.get(sorted[0].lane);
      if (before === undefined) return sorted;
      const next = sorted.findIndex(({ partitionId }) => partitionId > before);
      return next === -1 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
    },
    recordTurn({ lane, partitionId }) {
      last.set(lane, partitionId);
    },
  };
}
