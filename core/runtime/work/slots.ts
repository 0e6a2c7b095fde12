import type { Claim, WorkQueue } from './queue.js';

/**
 * Limits concurrency per lane, per partition of a lane and per owner of partitions, so that slow partitions leave slots
 * to the others and slow work in one lane does not delay another lane.
 */
interface Slots {
  /** Whether the lane has a free slot. */
  free(lane: number): boolean;
  /** Whether the limit of an outermost owner permits another row of the lane. */
  isOpen(lane: number, owner: string): boolean;
  /** Whether the limits of the partition and its owners permit another row. */
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
interface Counts {
  of(name: string): number;
  add(name: string, change: 1 | -1): void;
}

function createCounts(): Counts {
  const counters = new Map<string, number>();
  return {
    of: (name) => counters.get(name) ?? 0,
    add(name, change) {
      const count = (counters.get(name) ?? 0) + change;
      if (count === 0) counters.delete(name);
      else counters.set(name, count);
    },
  };
}

/** The rows of one lane. */
interface LaneCounts {
  /** Those that have a slot: in total, by partition and by owner. */
  running: number;
  readonly partitions: Counts;
  readonly owners: Counts;
  /** Those whose outcome is not recorded. */
  unrecorded: number;
}

/** @param ownersOf see PartitionTurns */
export function createSlots(
  { concurrency, perPartition, perOwner = [{ most: Math.max(1, concurrency - 1) }] }: SlotLimits,
  ownersOf: (partitionId: string) => readonly string[],
): Slots {
  const lanes = new Map<number, LaneCounts>();
  /** The owners that each row was counted for: they may become known while the row runs. */
  const taken = new Map<Claim, readonly string[]>();

  const laneOf = (lane: number): LaneCounts => {
    const known = lanes.get(lane);
    if (known) return known;
    const counts = { running: 0, partitions: createCounts(), owners: createCounts(), unrecorded: 0 };
    lanes.set(lane, counts);
    return counts;
  };
  /** @param owner by its whole path */
  const permits = (lane: number, owner: string, { most, reserved }: OwnerLimit): boolean => {
    const { running, owners } = laneOf(lane);
    const used = owners.of(owner);
    if (used >= (typeof most === 'number' ? most : most(owner, lane))) return false;
    return !reserved || used < reserved.perOwner || running < concurrency - reserved.slots;
  };
  const change = ({ lane, partitionId }: Claim, owners: readonly string[], by: 1 | -1): void => {
    const counts = laneOf(lane);
    counts.running += by;
    counts.partitions.add(partitionId, by);
    for (const owner of owners) counts.owners.add(owner, by);
  };
  const give = (claim: Claim): void => {
    const owners = taken.get(claim);
    if (!owners) return;
    change(claim, owners, -1);
    taken.delete(claim);
  };
  return {
    give,
    free(lane) {
      const { running, unrecorded } = laneOf(lane);
      return running < concurrency && unrecorded < (1 + unrecordedPerSlot) * concurrency;
    },
    isOpen: (lane, owner) => perOwner[0] === undefined || permits(lane, owner, perOwner[0]),
    allows({ lane, partitionId }) {
      if (perPartition && laneOf(lane).partitions.of(partitionId) >= perPartition(partitionId, lane)) return false;
      const owners = ownersOf(partitionId);
      return perOwner.every((limit, level) => {
        const owner = owners[level];
        return owner === undefined || permits(lane, owner, limit);
      });
    },
    take(claim) {
      const owners = ownersOf(claim.partitionId);
      taken.set(claim, owners);
      change(claim, owners, 1);
      laneOf(claim.lane).unrecorded += 1;
    },
    end(claim) {
      give(claim);
      laneOf(claim.lane).unrecorded -= 1;
    },
  };
}

type SlotLimits = Pick<WorkQueue, 'concurrency' | 'perPartition' | 'perOwner'>;
type OwnerLimit = NonNullable<WorkQueue['perOwner']>[number];
