import type { Holder } from '#core/runtime/holder.js';
import { createTurnGate } from '#core/runtime/turn-gate.js';
import { refusalOf } from '../errors/common.js';

/** How long each waits for its turn. A refused read is repeated; a write is not refused while its caller may wait. */
const waits = { reads: 5_000, writes: 25_000 } as const;
const perAccount = 2;

/** Runs what may read for seconds: two at once per account, and `atOnce` in this process. */
export interface LongReads {
  /** @throws rate_limited if no turn came in time; any error of `work` */
  run<T>(holder: Holder, work: () => Promise<T>): Promise<T>;
  /** Runs `work` if it need not wait; otherwise undefined. @throws any error of `work` */
  tryRun<T>(holder: Holder, work: () => Promise<T>): Promise<T | undefined>;
}

/**
 * A call waits here before it takes a database connection, so that waiting calls hold none. One account always leaves a
 * place to the others. Reads and what writes read before they begin have separate places: a write never waits because
 * people look at something.
 * @param what whose places they are
 * @param atOnce at least 2; a part of the connection pool: the others stay free for calls that take milliseconds
 */
export function createLongReads(what: keyof typeof waits, atOnce: number): LongReads {
  const waitMs = waits[what];
  const ofOne = Math.min(perAccount, atOnce - 1);
  const gate = createTurnGate({
    most: atOnce,
    mayTake: ({ ofAccount }) => ofAccount < ofOne,
    waitMs,
    late: () =>
      refusalOf.rate_limited({
        limit: `${ofOne} slow ${ofOne === 1 ? what.slice(0, -1) : what} at once per account, ${atOnce} in all`,
        seconds: waitMs / 1000,
      }),
  });

  const entered = async <T>(holder: Holder, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } finally {
      gate.leave(holder);
    }
  };
  return {
    async run(holder, work) {
      await gate.enter(holder);
      return entered(holder, work);
    },
    async tryRun(holder, work) {
      return gate.tryEnter(holder) ? entered(holder, work) : undefined;
    },
  };
}
