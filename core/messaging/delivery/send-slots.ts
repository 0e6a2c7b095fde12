import { createTurnTree, type TurnTree, type Turns } from '#core/runtime/turn-tree.js';
import type { DeliveryLimits } from '../driver.js';

/** The right of one message to be submitted now. */
export interface SendSlot {
  /** Lets another message take the slot. Call it when the server has answered, or is slow to answer. */
  release(): void;
  /** Call it once the outcome is recorded, or there is none. Releases the slot if `release` has not. */
  end(): void;
  /**
   * Passes the slot on to another message of the same environment, also before the server has answered this one.
   * @returns undefined if it was released, too many messages are not recorded, or others wait and have the next turn
   */
  passOn(): SendSlot | undefined;
}

/**
 * Limits how many messages are submitted at a time. A larger number is prepared, so that they are rendered and
 * checked in large batches. Accounts take turns, then their environments; an account that uses all its allowed slots is
 * skipped.
 */
export interface SendSlots {
  /**
   * Waits for a slot, for 5 s at most.
   * @param turns turnsOf the message's environment
   * @returns undefined when none became free in that time
   */
  acquire(turns: Turns, lane: number): Promise<SendSlot | undefined>;
}

/**
 * The largest number of messages per slot that were submitted and are not yet recorded. Only they could be sent
 * twice: a message is sent again after a crash if its outcome was not recorded.
 */
const unrecordedPerSlot = 3;
/** How long a message waits for a slot before it goes back to the queue. */
const waitMs = 5_000;
/** How long messages pass a slot on while others wait. */
const passedOnForMs = 50;

/** Answers a message that waits for a slot. */
interface Waiter {
  readonly account: string;
  readonly answer: (slot: SendSlot | undefined) => void;
}

/** The messages of one account in a lane. */
interface Counts {
  waiting: number;
  /** Messages that have a slot. */
  inUse: number;
}

/** The messages of one lane. */
interface SlotsOfLane {
  readonly waiters: TurnTree<Waiter>;
  /** Of accounts with messages that wait for a slot or have one. */
  readonly accounts: Map<string, Counts>;
  /** Messages that have a slot. */
  inUse: number;
  /** Messages that have a slot or are not recorded yet. */
  unrecorded: number;
  waiting: number;
}

/**
 * @param limits `concurrency`: the slots of each lane
 * @param allowed returns how many messages of an account and lane may be submitted at once; `isAlone` means that no
 *   other account has messages in the lane
 */
export function createSendSlots(
  { concurrency }: Pick<DeliveryLimits, 'concurrency'>,
  allowed: (account: string, lane: number, isAlone: boolean) => number,
): SendSlots {
  const lanes = new Map<number, SlotsOfLane>();
  const laneOf = (lane: number): SlotsOfLane => {
    const slots = lanes.get(lane) ?? {
      waiters: createTurnTree(),
      accounts: new Map(),
      inUse: 0,
      unrecorded: 0,
      waiting: 0,
    };
    lanes.set(lane, slots);
    return slots;
  };
  const change = (slots: SlotsOfLane, account: string, by: Partial<Counts>): void => {
    const { accounts } = slots;
    slots.inUse += by.inUse ?? 0;
    slots.waiting += by.waiting ?? 0;
    const counts = accounts.get(account) ?? { waiting: 0, inUse: 0 };
    counts.waiting += by.waiting ?? 0;
    counts.inUse += by.inUse ?? 0;
    if (counts.waiting === 0 && counts.inUse === 0) accounts.delete(account);
    else accounts.set(account, counts);
  };

  const mostUnrecorded = (1 + unrecordedPerSlot) * concurrency;
  const isFull = ({ inUse, unrecorded }: SlotsOfLane): boolean => inUse >= concurrency || unrecorded >= mostUnrecorded;

  /** @param since when the first of the messages that passed the slot on got it, by performance.now() */
  const slotOf = (lane: number, account: string, since: number): SendSlot => {
    const slots = laneOf(lane);
    let isReleased = false;
    let hasEnded = false;
    slots.unrecorded += 1;
    const release = (): void => {
      if (!isReleased) change(slots, account, { inUse: -1 });
      isReleased = true;
      assignSlots(lane);
    };
    return {
      release,
      end() {
        if (!hasEnded) slots.unrecorded -= 1;
        hasEnded = true;
        release();
      },
      passOn() {
        const isTheirTurn = slots.waiting > 0 && performance.now() - since > passedOnForMs;
        if (isReleased || isTheirTurn || slots.unrecorded >= mostUnrecorded) return undefined;
        const { inUse = 0 } = slots.accounts.get(account) ?? {};
        if (inUse > allowed(account, lane, slots.accounts.size === 1)) return undefined;
        isReleased = true;
        return slotOf(lane, account, since);
      },
    };
  };

  const take = (lane: number, account: string): SendSlot => {
    change(laneOf(lane), account, { inUse: 1 });
    return slotOf(lane, account, performance.now());
  };

  /** Gives the free slots of a lane to waiting messages, in turn. */
  const assignSlots = (lane: number): void => {
    const slots = laneOf(lane);
    const isOpen = (account: string): boolean =>
      (slots.accounts.get(account)?.inUse ?? 0) < allowed(account, lane, slots.accounts.size === 1);
    while (!isFull(slots)) {
      const next = slots.waiters.take(isOpen, () => true);
      if (!next) return;
      change(slots, next.account, { waiting: -1 });
      next.answer(take(lane, next.account));
    }
  };

  return {
    acquire: (turns, lane) =>
      new Promise((resolve) => {
        const slots = laneOf(lane);
        const [account = ''] = turns;
        const waiter: Waiter = {
          account,
          answer(slot) {
            clearTimeout(timer);
            resolve(slot);
          },
        };
        const timer = setTimeout(() => {
          slots.waiters.remove(turns, waiter);
          change(slots, account, { waiting: -1 });
          resolve(undefined);
        }, waitMs);
        slots.waiters.add(turns, waiter);
        change(slots, account, { waiting: 1 });
        assignSlots(lane);
      }),
  };
}
