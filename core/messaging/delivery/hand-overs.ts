import type { DeliveryLimits } from '../channel.js';

/** The place of one message among those that are handed over. */
export interface Place {
  /** Call it when the server has answered, or stalls: another message takes the place. */
  leave(): void;
  /** Call it once the outcome is recorded. */
  end(): void;
}

/**
 * Bounds what is handed over at once. More messages are in preparation than that, so that they are checked and rendered in large batches.
 * Environments take turns, and pass one that has all of its places.
 */
export interface HandOvers {
  /** Waits for a place. @returns undefined when none became free in time */
  enter(environmentId: string, lane: number): Promise<Place | undefined>;
}

/** Messages per place that were handed over and are not recorded yet, at most: only they could be sent again after a crash. */
const unrecordedPerPlace = 3;
/** A message that waited so long goes back to the queue. */
const waitMs = 5_000;

/** The messages of one environment and lane. */
interface Group {
  readonly environmentId: string;
  readonly lane: number;
  readonly waiters: Set<(place: Place | undefined) => void>;
  handedOver: number;
}

/**
 * @param allowed how many messages of an environment and lane may be handed over at once; `isAlone` says that no other environment has
 *   messages in the lane
 */
export function boundHandOvers(
  { concurrency }: Pick<DeliveryLimits, 'concurrency'>,
  allowed: (environmentId: string, lane: number, isAlone: boolean) => number,
): HandOvers {
  /** By lane: handed over now; and not recorded yet. */
  const [handedOver, unrecorded] = [new Map<number, number>(), new Map<number, number>()];
  /** Those with messages that wait or are handed over, in turn. */
  const groups = new Map<string, Group>();
  const add = (counts: Map<number, number>, lane: number, change: 1 | -1): void => {
    counts.set(lane, (counts.get(lane) ?? 0) + change);
  };

  const groupOf = (environmentId: string, lane: number): Group => {
    const name = `${lane} ${environmentId}`;
    const group = groups.get(name) ?? { environmentId, lane, waiters: new Set(), handedOver: 0 };
    groups.set(name, group);
    return group;
  };

  const isFull = (lane: number): boolean =>
    (handedOver.get(lane) ?? 0) >= concurrency || (unrecorded.get(lane) ?? 0) >= (1 + unrecordedPerPlace) * concurrency;

  const take = (group: Group): Place => {
    const { lane } = group;
    let [hasLeft, hasEnded] = [false, false];
    const change = (by: 1 | -1): void => {
      group.handedOver += by;
      add(handedOver, lane, by);
    };
    change(1);
    add(unrecorded, lane, 1);
    const leave = (): void => {
      if (!hasLeft) change(-1);
      hasLeft = true;
      admit(lane);
    };
    return {
      leave,
      end() {
        if (!hasEnded) add(unrecorded, lane, -1);
        hasEnded = true;
        leave();
      },
    };
  };

  const isAlone = (group: Group): boolean => {
    for (const other of groups.values())
      if (other !== group && other.lane === group.lane && (other.waiters.size > 0 || other.handedOver > 0))
        return false;
    return true;
  };

  /** Gives free places of a lane to those who wait: one to each environment in turn, which then goes to the end of the line. */
  const admit = (lane: number): void => {
    for (const [name, group] of groups) {
      if (isFull(lane)) return;
      const { environmentId, waiters } = group;
      if (waiters.size === 0 && group.handedOver === 0) groups.delete(name);
      if (group.lane !== lane) continue;
      const [enter] = waiters;
      if (!enter || group.handedOver >= allowed(environmentId, lane, isAlone(group))) continue;
      groups.delete(name);
      groups.set(name, group);
      enter(take(group));
    }
  };

  return {
    enter: (environmentId, lane) =>
      new Promise((resolve) => {
        const { waiters } = groupOf(environmentId, lane);
        const enter = (place: Place | undefined): void => {
          clearTimeout(timer);
          waiters.delete(enter);
          resolve(place);
        };
        const timer = setTimeout(() => enter(undefined), waitMs);
        waiters.add(enter);
        admit(lane);
      }),
  };
}
