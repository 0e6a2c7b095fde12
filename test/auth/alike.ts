/** Calls that an observer must not be able to tell apart, and how to see whether they can. */

/** A kind of call: each run makes one call, and is timed. */
export type Kind = () => Promise<unknown>;

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

const timed = async (run: Kind): Promise<number> => {
  const start = performance.now();
  await run();
  return performance.now() - start;
};

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

/**
 * Times kinds of calls in rounds, each kind once a round in an order of chance, so that whatever else the machine does
 * meets all of them.
 * @returns by how many milliseconds each kind's median differs from the first one's
 */
export async function medianDifferences(
  kinds: Readonly<Record<string, Kind>>,
  rounds: number,
  beforeRound: (round: number) => Promise<void> | void = () => undefined,
): Promise<Record<string, number>> {
  const times = new Map<string, number[]>(Object.keys(kinds).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    await beforeRound(round);
    for (const [name, run] of shuffled(Object.entries(kinds))) times.get(name)?.push(await timed(run));
  }
  const [first = ''] = Object.keys(kinds);
  const base = median(times.get(first) ?? []);
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all) - base]));
}

/** The differences that an observer would see. */
export const noticeable = (differences: Readonly<Record<string, number>>, withinMs: number): string[] =>
  Object.entries(differences)
    .filter(([, difference]) => Math.abs(difference) >= withinMs)
    .map(([name]) => name);
