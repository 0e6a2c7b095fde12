import type { Claim, WorkQueue } from './queue.js';

/**
 * Limits what runs at once: per lane, per partition of a lane and per group of partitions, so that slow partitions leave slots to the
 * others, and slow work in one lane none to wait for in another.
 */
export interface Slots {
  free(lane: number): boolean;
  allows(partition: Pick<Claim, 'lane' | 'partitionId'>): boolean;
  take(claim: Claim): void;
  /** Its slot is free again; told twice, it counts once. */
  give(claim: Claim): void;
  /** Nothing of it is left to do. */
  end(claim: Claim): void;
}

/** Rows without a slot, whose outcome is yet to be recorded, for each that may have one: beyond them recording is what is waited for. */
const unrecorded = 3;

/** Counts by name; a name whose count is back at 0 is forgotten. */
function counts<Name>(): { of(name: Name): number; add(name: Name, change: 1 | -1): void } {
  const known = new Map<Name, number>();
  return {
    of: (name) => known.get(name) ?? 0,
    add(name, change) {
      const count = (known.get(name) ?? 0) + change;
      if (count === 0) known.delete(name);
      else known.set(name, count);
    },
  };
}

const nameOf = (lane: number, partitionId: string): string => `${lane} ${partitionId}`;

export function createSlots(queue: Pick<WorkQueue, 'concurrency' | 'perPartition' | 'group'>): Slots {
  const { concurrency, perPartition, group } = queue;
  const lanes = counts<number>();
  const inHand = counts<number>();
  const partitions = counts<string>();
  const groups = counts<string>();
  /** The group that each was counted for: it may have become known since. */
  const taken = new Map<Claim, string | undefined>();
  const change = ({ lane, partitionId }: Claim, groupName: string | undefined, by: 1 | -1): void => {
    lanes.add(lane, by);
    partitions.add(nameOf(lane, partitionId), by);
    if (groupName !== undefined) groups.add(groupName, by);
  };
  const give = (claim: Claim): void => {
    if (!taken.has(claim)) return;
    change(claim, taken.get(claim), -1);
    taken.delete(claim);
  };
  return {
    give,
    free: (lane) => lanes.of(lane) < concurrency && inHand.of(lane) < (1 + unrecorded) * concurrency,
    allows({ lane, partitionId }) {
      if (perPartition && partitions.of(nameOf(lane, partitionId)) >= perPartition(partitionId, lane)) return false;
      const name = group?.of(partitionId);
      return !group || name === undefined || groups.of(name) < group.most;
    },
    take(claim) {
      const name = group?.of(claim.partitionId);
      taken.set(claim, name);
      change(claim, name, 1);
      inHand.add(claim.lane, 1);
    },
    end(claim) {
      give(claim);
      inHand.add(claim.lane, -1);
    },
  };
}
