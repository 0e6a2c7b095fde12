import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Waits until this caller may compute for some milliseconds: after everything that arrived meanwhile, and after the other callers that wait
 * here, one per turn of the event loop. Twenty large bodies at once thus delay everything else no more than one.
 */
export function takeTurn(): Promise<void> {
  const turn = last.then(() => nextTurn());
  last = turn;
  return turn;
}
