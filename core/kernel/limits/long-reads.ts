import type { Holder } from '#core/runtime/holder.js';
import { createTurnGate } from '#core/runtime/turn-gate.js';
import { refusalOf } from '../errors/common.js';

/** How long a read waits for its turn. */
const waitMs = 5_000;
const perAccount = 2;

/** Runs reads that may take seconds: two at once per account, and `atOnce` in this process. */
export interface LongReads {
  /** @throws rate_limited if no turn came within 5 s; any error of `work` */
  run<T>(holder: Holder, work: () => Promise<T>): Promise<T>;
  /** Runs `work` if it need not wait; otherwise undefined. @throws any error of `work` */
  tryRun<T>(holder: Holder, work: () => Promise<T>): Promise<T | undefined>;
}

/**
 * A read waits here before it takes a database connection, so that waiting reads hold none. One account always leaves a
 * place to the others.
 * @param atOnce at least 2; a quarter of the connection pool: the others stay free for calls that take milliseconds
 */
export function createLongReads(atOnce: number): LongReads {
  const ofOne = Math.min(perAccount, atOnce - 1);
  const gate = createTurnGate({
    most: atOnce,
    mayTake: ({ ofAccount }) => ofAccount < ofOne,
    waitMs,
    late: () =>
      refusalOf.rate_limited({
        limit: `${ofOne} slow ${ofOne === 1 ? 'read' : 'reads'} at once per account, ${atOnce} in all`,
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
