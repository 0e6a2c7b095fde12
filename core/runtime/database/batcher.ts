import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from './errors.js';

/** Adds one item to a batch. Resolves with the item’s own result. */
export type Batcher<In, Out> = (item: In) => Promise<Out>;

interface BatcherOptions<In> {
  /** The largest number of items in one batch. */
  maxItems: number;
  /** How much an item adds to the weight of its batch. Default 1. */
  weight?: (item: In) => number;
  /** The largest weight of one batch. A single item that exceeds it gets its own batch. */
  maxWeight?: number;
  /** The largest number of batches that run concurrently. Default 1. */
  maxRunning?: number;
  /** Milliseconds to wait for more items before each batch. Default 0: the first item is handled immediately. */
  gatherMs?: number;
  /** Gathering ends early once this number of items waits. Default: `maxItems`. */
  enough?: number;
  /**
   * Milliseconds from the answers of one batch to the start of the next, so that more items share it. A single item is
   * handled immediately. Default 0.
   */
  pauseMs?: number;
  /**
   * Whether a batch that throws is run again in halves, down to single items, so that an item that cannot be handled
   * does not fail the others. A lost database connection fails all of them at once, because no item caused it. Default
   * false.
   */
  splitOnError?: boolean;
}

/**
 * Collects items into batches, so that one statement replaces many. Items that arrive while a batch is running join the
 * next one.
 * @param run handles a batch and returns one result per item, in the same order. If it throws, every item of the batch
 *   is rejected, unless `splitOnError` is set.
 */
export function createBatcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  {
    maxItems,
    weight = () => 1,
    maxWeight = Infinity,
    maxRunning = 1,
    gatherMs = 0,
    enough = maxItems,
    pauseMs = 0,
    splitOnError = false,
  }: BatcherOptions<In>,
): Batcher<In, Out> {
  interface Waiting {
    item: In;
    resolve: (out: Out) => void;
    reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running = 0;
  /** Ends the current gathering. */
  let startEarly = (): void => undefined;

  const gather = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      startEarly = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const takeBatch = (): Waiting[] => {
    let total = 0;
    const end = waiting.findIndex(({ item }, index) => {
      total += weight(item);
      return index > 0 && (index >= maxItems || total > maxWeight);
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  };

  const handle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('A batch returned fewer results than it had items.'));
        else resolve(result);
      }
    } catch (error) {
      if (splitOnError && batch.length > 1 && !isUnavailable(error)) {
        const middle = Math.ceil(batch.length / 2);
        await handle(batch.slice(0, middle));
        await handle(batch.slice(middle));
        return;
      }
      for (const { reject } of batch) reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    running += 1;
    // All items that are added synchronously join the first batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      if (gatherMs > 0 && waiting.length < enough) await gather();
      const batch = takeBatch();
      if (batch.length > 0) await handle(batch);
      if (pauseMs > 0) await pause(pauseMs);
    }
    running -= 1;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= enough) startEarly();
      if (running < maxRunning) void drain();
    });
}

/** Adds an item to a batch of its owner. */
export type OwnerBatcher<In, Out> = (owner: string, item: In) => Promise<Out>;

/**
 * Collects the items of each owner into separate batches, so that an owner whose items take long delays no other.
 * For work that customers decide, such as rendering; use `createBatcher` for statements.
 * @param options of the batches of one owner
 */
export function createOwnerBatcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  options: BatcherOptions<In>,
): OwnerBatcher<In, Out> {
  const owners = new Map<string, { readonly add: Batcher<In, Out>; items: number }>();
  return async (owner, item) => {
    const batches = owners.get(owner) ?? { add: createBatcher(run, options), items: 0 };
    owners.set(owner, batches);
    batches.items += 1;
    try {
      return await batches.add(item);
    } finally {
      batches.items -= 1;
      if (batches.items === 0) owners.delete(owner);
    }
  };
}
