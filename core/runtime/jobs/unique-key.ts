import { createHash } from 'node:crypto';

/** JSON with sorted keys, so that equal values give equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, each: unknown) => {
    if (key.startsWith('$')) throw new Error(`unique() compares values and does not support the operator ${key}.`);
    const isObject = typeof each === 'object' && each !== null && !Array.isArray(each);
    return isObject ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each;
  });

/**
 * The stored form of a job's `unique` constraint. Jobs with the same name are the same job if their constraints are
 * equal, regardless of the order of their keys. The constraint is not matched against other jobs' data.
 */
export function uniqueKey(unique: Record<string, unknown>): Buffer {
  return createHash('sha256').update(canonical(unique)).digest();
}
