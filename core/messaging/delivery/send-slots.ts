import type { DeliveryLimits } from '../driver.js';

/** The right of one message to be submitted now. */
export interface SendSlot {
  /** Lets another message take the slot. Call it when the server has answered, or is slow to answer. */
  release(): void;
  /** Call it once the outcome is recorded, or there is none. Releases the slot if `release` has not. */
  end(): void;
}

/**
 * Limits how many messages are submitted at a time. A larger number is prepared, so that they are rendered and
 * checked in large batches. Environments take turns; an environment that uses all its allowed slots is skipped.
 */
export interface SendSlots {
  /** Waits for a slot, for 5 s at most. @returns undefined when none became free in that time */
  acquire(environmentId: string, lane: number): Promise<SendSlot | undefined>;
}

/**
 * The largest number of messages per slot that were submitted and are not yet recorded. Only they could be sent
 * twice: a message is sent again after a crash if its outcome was not recorded.
 */
const unrecordedPerSlot = 3;
/** How long a message waits for a slot before it goes back to the queue. */
const waitMs = 5_000;

/** The messages of one environment and lane that wait for a slot or have one. */
interface Group {
  readonly environmentId: string;
  readonly lane: number;
  /** Waiting messages, the oldest first. */
  readonly waiters: Set<(slot: SendSlot | undefined) => void>;
  /** Messages that have a slot. */
  inUse: number;
}

/**
 * @param limits `concurrency`: the slots of each lane
 * @param allowed returns how many messages of an environment and lane may be submitted at once; `isAlone` means that
 *   no other environment has messages in the lane
 */
export function createSendSlots(
  { concurrency }: Pick<DeliveryLimits, 'concurrency'>,
  allowed: (environmentId: string, lane: number, isAlone: boolean) => number,
): SendSlots {
  /** The messages that have a slot, by lane. */
  const inUse = new Map<number, number>();
  /** The messages that have a slot or are not recorded yet, by lane. */
  const unrecorded = new Map<number, number>();
  /** In the order in which they get their next slot. */
  const groups = new Map<string, Group>();
  const add = (counts: Map<number, number>, lane: number, change: 1 | -1): void => {
    counts.set(lane, (counts.get(lane) ?? 0) + change);
  };

  const groupOf = (environmentId: string, lane: number): Group => {
    const name = `${lane} ${environmentId}`;
    const group = groups.get(name) ?? { environmentId, lane, waiters: new Set(), inUse: 0 };
    groups.set(name, group);
    return group;
  };

  const isFull = (lane: number): boolean =>
    (inUse.get(lane) ?? 0) >= concurrency || (unrecorded.get(lane) ?? 0) >= (1 + unrecordedPerSlot) * concurrency;

  const take = (group: Group): SendSlot => {
    const { lane } = group;
    let isReleased = false;
    let hasEnded = false;
    const change = (by: 1 | -1): void => {
      group.inUse += by;
      add(inUse, lane, by);
    };
    change(1);
    add(unrecorded, lane, 1);
    const release = (): void => {
      if (!isReleased) change(-1);
      isReleased = true;
      assignSlots(lane);
    };
    return {
      release,
      end() {
        if (!hasEnded) add(unrecorded, lane, -1);
        hasEnded = true;
        release();
      },
    };
  };

  const isAlone = (group: Group): boolean => {
    for (const other of groups.values())
      if (other !== group && other.lane === group.lane && (other.waiters.size > 0 || other.inUse > 0)) return false;
    return true;
  };

  /**
   * Gives the free slots of a lane to waiting messages: one to each environment in turn, which then moves to the end
   * of `groups`.
   */
  const assignSlots = (lane: number): void => {
    for (const [name, group] of groups) {
      if (isFull(lane)) return;
      const { environmentId, waiters } = group;
      if (waiters.size === 0 && group.inUse === 0) groups.delete(name);
      if (group.lane !== lane) continue;
      const [takeSlot] = waiters;
      if (!takeSlot || group.inUse >= allowed(environmentId, lane, isAlone(group))) continue;
      groups.delete(name);
      groups.set(name, group);
      takeSlot(take(group));
    }
  };

  return {
    acquire: (environmentId, lane) =>
      new Promise((resolve) => {
        const { waiters } = groupOf(environmentId, lane);
        const answer = (slot: SendSlot | undefined): void => {
          clearTimeout(timer);
          waiters.delete(answer);
          resolve(slot);
        };
        const timer = setTimeout(() => answer(undefined), waitMs);
        waiters.add(answer);
        assignSlots(lane);
      }),
  };
}
