import type { Holder } from './holder.js';
import { createTurnTree } from './turn-tree.js';

/** Callers that wait to compute. */
const waiting = createTurnTree<() => void>();
let count = 0;

/**
 * Waits until this caller may compute for some milliseconds: one caller per turn of the event loop, after everything
 * that arrived in the meantime. So twenty large bodies at the same time delay everything else no more than one does.
 * Accounts alternate, so that an account with a hundred waiting callers delays another by only one of them; so do its
 * environments, and the keys of each.
 * @param holder who the computation is for
 */
export function takeTurn(holder: Holder): Promise<void> {
  return new Promise((start) => {
    waiting.add(holder, start);
    count += 1;
    if (count === 1) setImmediate(startNext);
  });
}

const always = (): boolean => true;

function startNext(): void {
  const start = waiting.take(always, always);
  count -= 1;
  start?.();
  if (count > 0) setImmediate(startNext);
}
