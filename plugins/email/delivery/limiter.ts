import { createTurnTree, type TurnTree, type Turns } from '#core/runtime/turn-tree.js';
import type { Lane } from '#core/runtime/work/queue.js';

/** The messages of one environment and lane that wait for a limiter. They are numbered from 1. */
interface Line {
  /** turnsOf the environment. */
  readonly turns: Turns;
  /** The last number that was given out. */
  taken: number;
  /** The last number that may be sent. */
  called: number;
}

/** A message's place in its line. It stays valid, however often the message asks. */
export interface Ticket {
  readonly lane: Lane;
  readonly line: Line;
  readonly number: number;
}

/**
 * Lets messages pass evenly, up to a number per second. Times are milliseconds of a clock that is never set back.
 *
 * Each environment has a line in each lane. System mail passes first, then single messages, then bulk mail, and within
 * a lane the accounts take turns, then their environments. So a message waits for those before it in its own line, and
 * for one of each other account and of each other environment of its own at a time, however many are waiting there.
 */
export interface Limiter {
  /** Gives a message the next place in its line. @param count how many recipients it has: each uses up one place */
  take(lane: Lane, turns: Turns, count: number, now: number): Ticket;
  /** How long a new place in a line would wait, in milliseconds, as far as is known now. */
  waitOfNext(lane: Lane, turns: Turns, now: number): number;
  /** How long a message still waits, in milliseconds, as far as is known now; 0 if it may be sent. */
  waitOf(ticket: Ticket, now: number): number;
  /** Changes the rate, also for messages that are waiting. */
  setRate(perSecond: number): void;
  /** Whether nobody waits, and the last message that passed delays no other. */
  isUnused(now: number): boolean;
}

/** The lanes in the order in which they pass. */
const order: readonly Lane[] = ['system', 'transactional', 'bulk'];

/** Those who wait in one lane. */
interface WaitingLane {
  readonly tree: TurnTree<Line>;
  /** The lines in which somebody waits, by environment. */
  readonly lines: Map<string, Line>;
  /** The places that are not called yet. */
  waiting: number;
}

const always = (): boolean => true;

export function createLimiter(perSecond: number): Limiter {
  let spacing = 1_000 / perSecond;
  /** When the next message may pass. */
  let nextAt = -Infinity;
  const lanes = new Map(
    order.map((lane): [Lane, WaitingLane] => [lane, { tree: createTurnTree(), lines: new Map(), waiting: 0 }]),
  );

  const laneOf = (name: Lane): WaitingLane => {
    const lane = lanes.get(name);
    if (!lane) throw new Error(`Unknown lane: ${name}.`);
    return lane;
  };
  const lineOf = (lane: Lane, turns: Turns): Line =>
    laneOf(lane).lines.get(turns.join(' ')) ?? { turns, taken: 0, called: 0 };
  /** Calls the next number. @returns false if nobody waits */
  const callNext = (): boolean => {
    for (const lane of lanes.values()) {
      const line = lane.tree.pass(always, always);
      if (!line) continue;
      line.called += 1;
      lane.waiting -= 1;
      if (line.called === line.taken) {
        lane.tree.remove(line.turns, line);
        lane.lines.delete(line.turns.join(' '));
      }
      return true;
    }
    return false;
  };
  const advance = (now: number): void => {
    while (nextAt <= now && callNext()) nextAt += spacing;
  };
  const isEmpty = (): boolean => order.every((lane) => laneOf(lane).waiting === 0);
  const waitOf = (lane: Lane, line: Line, number: number, now: number): number => {
    if (line.called >= number) return 0;
    const before = order.slice(0, order.indexOf(lane)).reduce((sum, each) => sum + laneOf(each).waiting, 0);
    const ahead = (number - line.called - 1) * laneOf(lane).tree.roundOf(line.turns);
    return Math.max(1, nextAt - now + (before + ahead) * spacing);
  };

  return {
    take(lane, turns, count, now) {
      advance(now);
      // Places that nobody wanted are gone.
      if (isEmpty()) nextAt = Math.max(nextAt, now);
      const inLane = laneOf(lane);
      const line = lineOf(lane, turns);
      const number = line.taken + 1;
      if (line.called === line.taken) {
        inLane.tree.add(turns, line);
        inLane.lines.set(turns.join(' '), line);
      }
      line.taken += count;
      inLane.waiting += count;
      advance(now);
      return { lane, line, number };
    },
    waitOfNext(lane, turns, now) {
      advance(now);
      const line = lineOf(lane, turns);
      return nextAt <= now ? 0 : waitOf(lane, line, line.taken + 1, now);
    },
    waitOf({ lane, line, number }, now) {
      advance(now);
      return waitOf(lane, line, number, now);
    },
    setRate(rate) {
      spacing = 1_000 / rate;
    },
    isUnused: (now) => nextAt <= now && isEmpty(),
  };
}
