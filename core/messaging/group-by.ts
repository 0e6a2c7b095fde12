import type { SqlValue } from '#core/runtime/database/statement.js';

/** Groups items by a key, groups and items in their first order. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/**
 * Groups rows that are written with the same values, for one statement per group. The key is everything that is
 * written, so that no row gets a value of another one, which may belong to another environment.
 * @param valuesOf all values that the statement writes, except those that it writes for each row
 */
export function groupByValues<T, V extends readonly SqlValue[]>(
  items: readonly T[],
  valuesOf: (item: T) => V,
): { readonly values: V; readonly items: readonly [T, ...T[]] }[] {
  return groupBy(
    items.map((item) => ({ item, values: valuesOf(item) })),
    ({ values }) => JSON.stringify(values),
  ).flatMap(([first, ...others]) =>
    first ? [{ values: first.values, items: [first.item, ...others.map(({ item }) => item)] as const }] : [],
  );
}
