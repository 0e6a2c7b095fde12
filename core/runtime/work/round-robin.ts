import type { DuePartition } from './claim.js';

/** Whose turn comes next, lane by lane: round and round, so that nobody waits for more than one turn of everybody else. */
export interface RoundRobin {
  /** The partitions of one lane, the one after the last that had its turn first. */
  order(partitions: readonly DuePartition[]): DuePartition[];
  had(partition: DuePartition): void;
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
    had({ lane, partitionId }) {
      last.set(lane, partitionId);
    },
  };
}
