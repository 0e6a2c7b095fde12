import { painter } from './colours.js';

const patienceMs = 700;

/** Shows at a terminal that something goes on, once it takes longer than one waits gladly; gone when it is done. */
export async function withProgress<T>(words: () => string, work: () => Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return work();
  const { dim } = painter(stderr);
  const began = performance.now();
  const state = { shown: false };
  const timer = setInterval(() => {
    const seconds = (performance.now() - began) / 1000;
    if (seconds * 1000 < patienceMs) return;
    state.shown = true;
    stderr.write(`\r\u001b[2K${dim(`${words()} … ${seconds.toFixed(0)} s`)}`);
  }, 250);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (state.shown) stderr.write('\r\u001b[2K');
  }
}
