import { inTurns, type Turns } from '../turn-tree.js';
import type { DuePartition } from './claim.js';

/**
 * Orders partitions round-robin within each lane, so that a partition waits for at most one turn of every other owner,
 * then of each of its other partitions.
 */
interface RoundRobin {
  /** Returns the partitions of one lane in turn order: on each level, it starts after the last one recorded. */
  order(partitions: readonly DuePartition[]): Iterable<DuePartition>;
  /** Records that a partition had its turn. */
  recordTurn(partition: DuePartition): void;
}

/** The number of owners whose last turn is remembered. */
const most = 50_000;

/** @param turnsOf the owners of a partition, outermost first, and last the partition itself */
export function createRoundRobin(turnsOf: (partitionId: string) => Turns): RoundRobin {
  /** On each level: who had the last turn, by lane and owner. */
  const last = new Map<string, string>();

  /** Sorts a partition within the owners of each level: those after the last turn come first. */
  const rankOf = ({ lane, partitionId }: DuePartition): string => {
    let owner = String(lane);
    let rank = '';
    for (const key of turnsOf(partitionId)) {
      const before = last.get(owner);
      rank += `${before === undefined || key > before ? 0 : 1}${key} `;
      owner += ` ${key}`;
    }
    return rank;
  };

  return {
    order(partitions) {
      if (partitions.length < 2) return partitions;
      const ranked = partitions.map((partition) => ({ partition, rank: rankOf(partition) }));
      ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
      return inTurns(
        ranked.map(({ partition }) => partition),
        ({ partitionId }) => turnsOf(partitionId),
      );
    },
    recordTurn({ lane, partitionId }) {
      if (last.size > most) last.clear();
      let owner = String(lane);
      for (const key of turnsOf(partitionId)) {
        last.set(owner, key);
        owner += ` ${key}`;
      }
    },
  };
}
