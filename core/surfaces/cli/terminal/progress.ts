import { painter } from './colours.js';

const delayMs = 700;

/** Shows a progress line at a terminal while work takes longer than `delayMs`, and removes it at the end. */
export async function withProgress<T>(label: () => string, work: () => Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return work();
  const { dim } = painter(stderr);
  const began = performance.now();
  const state = { shown: false };
  const timer = setInterval(() => {
    const seconds = (performance.now() - began) / 1000;
    if (seconds * 1000 < delayMs) return;
    state.shown = true;
    const time = ` … ${seconds.toFixed(0)} s`;
    // A line that is wrapped could not be replaced.
    const width = stderr.columns > 0 ? stderr.columns : 80;
    const text = label().slice(0, Math.max(0, width - time.length - 1));
    stderr.write(`\r\u001b[2K${dim(text + time)}`);
  }, 250);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (state.shown) stderr.write('\r\u001b[2K');
  }
}
