/** Handles one item together with others. */
export type Batcher<In, Out> = (item: In) => Promise<Out>;

/**
 * Collects items into batches, for one statement instead of many: items that arrive while batches are running go together in the next.
 * @param run returns the answers in the order of its items; when it throws, all items of the batch fail
 * @param maxItems items in one batch, at most
 * @param maxRunning batches that run at the same time, at most
 */
export function createBatcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  maxItems: number,
  maxRunning = 1,
): Batcher<In, Out> {
  interface Waiting {
    item: In;
    resolve: (out: Out) => void;
    reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running = 0;

  const drain = async (): Promise<void> => {
    running += 1;
    // The items of the current turn of the event loop join the first batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxItems);
      try {
        const answers = await run(batch.map(({ item }) => item));
        for (const [index, { resolve, reject }] of batch.entries()) {
          const answer = answers[index];
          if (answer === undefined) reject(new Error('A batch answered fewer items than it was asked for.'));
          else resolve(answer);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running -= 1;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < maxRunning) void drain();
    });
}
