/** Handles one item together with others. */
export type Batcher<In, Out> = (item: In) => Promise<Out>;

export interface BatcherOptions<In> {
  /** Items in one batch, at most. */
  maxItems: number;
  /** What an item counts towards `maxWeight`; 1 when absent. */
  weight?: (item: In) => number;
  /** The weight of one batch, at most; an item that exceeds it is a batch of its own. */
  maxWeight?: number;
  /** Batches that run at the same time, at most; 1 when absent. */
  maxRunning?: number;
}

/**
 * Collects items into batches, for one statement instead of many: items that arrive while batches are running go together in the next.
 * @param run returns the answers in the order of its items; when it throws, all items of the batch fail
 */
export function createBatcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  { maxItems, weight = () => 1, maxWeight = Infinity, maxRunning = 1 }: BatcherOptions<In>,
): Batcher<In, Out> {
  interface Waiting {
    item: In;
    resolve: (out: Out) => void;
    reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running = 0;

  const takeBatch = (): Waiting[] => {
    let total = 0;
    const end = waiting.findIndex(({ item }, index) => {
      total += weight(item);
      return index > 0 && (index >= maxItems || total > maxWeight);
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  };

  const drain = async (): Promise<void> => {
    running += 1;
    // The items of the current turn of the event loop join the first batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const answers = await run(batch.map(({ item }) => item));
        for (const [index, { resolve, reject }] of batch.entries()) {
          const answer = answers[index];
          if (answer === undefined) reject(new Error('A batch returned fewer answers than it had items.'));
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
