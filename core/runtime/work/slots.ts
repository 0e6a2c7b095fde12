import type { Turns } from '../turn-tree.js';
import type { Claim, WorkQueue } from './queue.js';

/**
 * Limits concurrency per lane, per partition of a lane and per owner of partitions, so that slow partitions leave slots
 * to the others and slow work in one lane does not delay another lane.
 */
export interface Slots {
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

/** @param turnsOf the owners of a partition, outermost first, and last the partition itself */
export function createSlots(
  { concurrency, perPartition, perOwner = [{ most: Math.max(1, concurrency - 1) }] }: SlotLimits,
  turnsOf: (partitionId: string) => Turns,
): Slots {
  const lanes = createCounts<number>();
  const inFlight = createCounts<number>();
  const partitions = createCounts<string>();
  const owners = createCounts<string>();
  /** The names of the owners with a limit that each row was counted for: they may become known while the row runs. */
  const taken = new Map<Claim, readonly string[]>();

  /** The owners of a partition that have a limit, by their whole path, outermost first. */
  const limitedOwners = (lane: number, turns: Turns): string[] => {
    // The last one is the partition itself.
    const count = Math.min(perOwner.length, turns.length - 1);
    let name = String(lane);
    return turns.slice(0, count).map((owner) => (name += ` ${owner}`));
  };
  const permits = (lane: number, name: string, limit: OwnerLimit | undefined): boolean => {
    if (!limit) return true;
    const { most, reserved } = limit;
    const used = owners.of(name);
    if (used >= (typeof most === 'number' ? most : most(name.slice(name.lastIndexOf(' ') + 1), lane))) return false;
    return !reserved || used < reserved.perOwner || lanes.of(lane) < concurrency - reserved.slots;
  };
  const change = ({ lane, partitionId }: Claim, names: readonly string[], by: 1 | -1): void => {
    lanes.add(lane, by);
    partitions.add(keyOf(lane, partitionId), by);
    for (const name of names) owners.add(name, by);
  };
  const give = (claim: Claim): void => {
    const names = taken.get(claim);
    if (!names) return;
    change(claim, names, -1);
    taken.delete(claim);
  };
  return {
    give,
    free: (lane) => lanes.of(lane) < concurrency && inFlight.of(lane) < (1 + unrecordedPerSlot) * concurrency,
    isOpen: (lane, owner) => permits(lane, `${lane} ${owner}`, perOwner[0]),
    allows({ lane, partitionId }) {
      if (perPartition && partitions.of(keyOf(lane, partitionId)) >= perPartition(partitionId, lane)) return false;
      return limitedOwners(lane, turnsOf(partitionId)).every((name, level) => permits(lane, name, perOwner[level]));
    },
    take(claim) {
      const names = limitedOwners(claim.lane, turnsOf(claim.partitionId));
      taken.set(claim, names);
      change(claim, names, 1);
      inFlight.add(claim.lane, 1);
    },
    end(claim) {
      give(claim);
      inFlight.add(claim.lane, -1);
    },
  };
}

type SlotLimits = Pick<WorkQueue, 'concurrency' | 'perPartition' | 'perOwner'>;
type OwnerLimit = NonNullable<WorkQueue['perOwner']>[number];
