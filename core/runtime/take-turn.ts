/** Callers that wait to compute, by holder. The holder that has waited longest is first. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Waits until this caller may compute for some milliseconds: one caller per turn of the event loop, after everything
 * that arrived in the meantime. So twenty large bodies at the same time delay everything else no more than one does.
 * Holders alternate, so that a holder with a hundred waiting callers delays another holder by only one of them.
 * @param holder who the computation is for: the environment, or the client's address if nothing else is known
 */
export function takeTurn(holder: string): Promise<void> {
  return new Promise((start) => {
    const isFirst = waiting.size === 0;
    const queue = waiting.get(holder);
    if (queue) queue.push(start);
    else waiting.set(holder, [start]);
    if (isFirst) setImmediate(startNext);
  });
}

function startNext(): void {
  for (const [holder, queue] of waiting) {
    const start = queue.shift();
    // Moved to the end, behind the other holders.
    waiting.delete(holder);
    if (queue.length > 0) waiting.set(holder, queue);
    start?.();
    break;
  }
  if (waiting.size > 0) setImmediate(startNext);
}
