/** Calls that come while one is on its way travel together in the next: one statement for many items. */
export type Batcher<In, Out> = (item: In) => Promise<Out>;

/**
 * @param run answers each item at its place; a throw fails every item of the batch
 * @param most items in one batch, at most
 */
export function createBatcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  most: number,
): Batcher<In, Out> {
  interface Waiting {
    item: In;
    resolve: (out: Out) => void;
    reject: (error: unknown) => void;
  }
  const line: Waiting[] = [];
  let busy = false;

  const drain = async (): Promise<void> => {
    busy = true;
    // Everything that is asked for in this turn of the event loop joins the first batch.
    await Promise.resolve();
    while (line.length > 0) {
      const batch = line.splice(0, most);
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
    busy = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      line.push({ item, resolve, reject });
      if (!busy) void drain();
    });
}
