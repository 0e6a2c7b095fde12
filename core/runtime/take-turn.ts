import type { Holder } from './holder.js';
import { createTurnTree } from './turn-tree.js';

interface Waiting {
  readonly start: () => void;
  readonly pause: number;
}

/** Callers that wait to compute. */
const waiting = createTurnTree<Waiting>();
let count = 0;
let isRunning = false;

/**
 * Turns of the event loop that follow the computing of some milliseconds before the next caller computes. A call that
 * computes little needs about eight turns, mostly for answers of the database. Each would be as long as the computing.
 */
const turnsBetween = 3;

/**
 * Waits until this caller may compute for some milliseconds: one caller at a time, after everything that arrived in the
 * meantime. So twenty large bodies at the same time delay everything else no more than one does. Accounts alternate, so
 * that an account with a hundred waiting callers delays another by only one of them; so do its environments, and the
 * keys of each.
 * @param holder who the computation is for
 */
export const takeTurn = (holder: Holder): Promise<void> => turn(holder, turnsBetween);

/** The same for a caller that computes for less than a millisecond. */
export const takeShortTurn = (holder: Holder): Promise<void> => turn(holder, 0);

function turn(holder: Holder, pause: number): Promise<void> {
  return new Promise((start) => {
    waiting.add(holder, { start, pause });
    count += 1;
    if (count === 1 && !isRunning) void run();
  });
}

const always = (): boolean => true;
const nextTurnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
async function run(): Promise<void> {
  isRunning = true;
  while (count > 0) {
    await nextTurnOfLoop();
    const next = waiting.take(always, always);
    count -= 1;
    next?.start();
    for (let turns = 0; turns < (next?.pause ?? 0); turns += 1) await nextTurnOfLoop();
  }
  isRunning = false;
}
