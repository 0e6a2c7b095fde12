import type { Claim, WorkQueue } from './queue.js';

/**
 * Limits concurrency per lane, per partition of a lane and per group of partitions, so that slow partitions leave slots
 * to the others and slow work in one lane does not delay another lane.
 */
export interface Slots {
  /** Whether the lane has a free slot. */
  free(lane: number): boolean;
  /** Whether the limits of the partition and its group permit another row. */
  allows(partition: Pick<Claim, 'lane' | 'partitionId'>): boolean;
  take(claim: Claim): void;
  /** Frees the slot of a row. Calling it twice frees one slot. */
  give(claim: Claim): void;
  /** Call it when a row is finished and its outcome recorded. Frees its slot if `give` has not. */
  end(claim: Claim): void;
}

/**
 * The largest number of rows per slot whose outcome has not been recorded. Beyond it, new rows wait for the recording.
 */
const unrecordedPerSlot = 3;

/** Counters by name. A name whose count is 0 is removed. */
function createCounts<Name>(): { of(name: Name): number; add(name: Name, change: 1 | -1): void } {
  const counters = new Map<Name, number>();
  return {
    of: (name) => counters.get(name) ?? 0,
    add(name, change) {
      const count = (counters.get(name) ?? 0) + change;
      if (count === 0) counters.delete(name);
      else counters.set(name, count);
    },
  };
}

const keyOf = (lane: number, partitionId: string): string => `${lane} ${partitionId}`;

export function createSlots(queue: Pick<WorkQueue, 'concurrency' | 'perPartition' | 'group'>): Slots {
  const { concurrency, perPartition, group } = queue;
  const lanes = createCounts<number>();
  const inFlight = createCounts<number>();
  const partitions = createCounts<string>();
  const groups = createCounts<string>();
  /** The group that each row was counted for. Kept because a group may become known while the row runs. */
  const taken = new Map<Claim, string | undefined>();
  const change = ({ lane, partitionId }: Claim, groupName: string | undefined, by: 1 | -1): void => {
    lanes.add(lane, by);
    partitions.add(keyOf(lane, partitionId), by);
    if (groupName !== undefined) groups.add(groupName, by);
  };
  const give = (claim: Claim): void => {
    if (!taken.has(claim)) return;
    change(claim, taken.get(claim), -1);
    taken.delete(claim);
  };
  return {
    give,
    free: (lane) => lanes.of(lane) < concurrency && inFlight.of(lane) < (1 + unrecordedPerSlot) * concurrency,
    allows({ lane, partitionId }) {
      if (perPartition && partitions.of(keyOf(lane, partitionId)) >= perPartition(partitionId, lane)) return false;
      const name = group?.of(partitionId);
      if (!group || name === undefined) return true;
      const [used, { reserved }] = [groups.of(name), group];
      if (used >= group.most) return false;
      return !reserved || used < reserved.perGroup || lanes.of(lane) < concurrency - reserved.slots;
    },
    take(claim) {
      const name = group?.of(claim.partitionId);
      taken.set(claim, name);
      change(claim, name, 1);
      inFlight.add(claim.lane, 1);
    },
    end(claim) {
      give(claim);
      inFlight.add(claim.lane, -1);
    },
  };
}
