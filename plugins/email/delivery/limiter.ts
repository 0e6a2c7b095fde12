import type { Lane } from '#core/runtime/work/queue.js';

/** The messages of one environment and lane that wait for a limiter. They are numbered from 1. */
interface Line {
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
 * a lane the environments take turns. So a message waits for those before it in its own line, and for one of each other
 * environment at a time, however many are waiting there.
 */
export interface Limiter {
  /** Gives a message the next place in its line. @param count how many recipients it has: each uses up one place */
  take(lane: Lane, environmentId: string, count: number, now: number): Ticket;
  /** How long a new place in a line would wait, in milliseconds, as far as is known now. */
  waitOfNext(lane: Lane, environmentId: string, now: number): number;
  /** How long a message still waits, in milliseconds, as far as is known now; 0 if it may be sent. */
  waitOf(ticket: Ticket, now: number): number;
  /** Changes the rate, also for messages that are waiting. */
  setRate(perSecond: number): void;
  /** Whether nobody waits, and the last message that passed delays no other. */
  isUnused(now: number): boolean;
}

/** The lanes in the order in which they pass. */
const order: readonly Lane[] = ['system', 'transactional', 'bulk'];

export function createLimiter(perSecond: number): Limiter {
  let spacing = 1_000 / perSecond;
  /** When the next message may pass. */
  let nextAt = -Infinity;
  /** The lines in which somebody waits, by environment; the first one is the next to move. */
  const waiting = new Map(order.map((lane) => [lane, new Map<string, Line>()]));

  const linesOf = (lane: Lane): Map<string, Line> => {
    const lines = waiting.get(lane);
    if (!lines) throw new Error(`There is no lane ${lane}.`);
    return lines;
  };
  const countIn = (lane: Lane): number => {
    let count = 0;
    for (const { taken, called } of linesOf(lane).values()) count += taken - called;
    return count;
  };
  /** Calls the next number. @returns false if nobody waits */
  const callNext = (): boolean => {
    for (const lines of waiting.values()) {
      const [first] = lines;
      if (!first) continue;
      const [environmentId, line] = first;
      line.called += 1;
      lines.delete(environmentId);
      if (line.called < line.taken) lines.set(environmentId, line);
      return true;
    }
    return false;
  };
  const advance = (now: number): void => {
    while (nextAt <= now && callNext()) nextAt += spacing;
  };
  const waitOf = (lane: Lane, line: Line, number: number, now: number): number => {
    if (line.called >= number) return 0;
    const before = order.slice(0, order.indexOf(lane)).reduce((sum, each) => sum + countIn(each), 0);
    const ahead = (number - line.called - 1) * Math.max(1, linesOf(lane).size);
    return Math.max(1, nextAt - now + (before + ahead) * spacing);
  };

  return {
    take(lane, environmentId, count, now) {
      advance(now);
      // Places that nobody wanted are gone.
      if (order.every((each) => linesOf(each).size === 0)) nextAt = Math.max(nextAt, now);
      const lines = linesOf(lane);
      const line = lines.get(environmentId) ?? { taken: 0, called: 0 };
      const number = line.taken + 1;
      line.taken += count;
      lines.set(environmentId, line);
      advance(now);
      return { lane, line, number };
    },
    waitOfNext(lane, environmentId, now) {
      advance(now);
      const line = linesOf(lane).get(environmentId) ?? { taken: 0, called: 0 };
      return nextAt <= now ? 0 : waitOf(lane, line, line.taken + 1, now);
    },
    waitOf({ lane, line, number }, now) {
      advance(now);
      return waitOf(lane, line, number, now);
    },
    setRate(rate) {
      spacing = 1_000 / rate;
    },
    isUnused: (now) => nextAt <= now && order.every((lane) => linesOf(lane).size === 0),
  };
}
