import { createHash } from 'node:crypto';

/** JSON with its keys in order, so that equal values are equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, each: unknown) => {
    if (key.startsWith('$')) throw new Error(`unique() compares values; ${key} is an operator.`);
    const isObject = typeof each === 'object' && each !== null && !Array.isArray(each);
    return isObject ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each;
  });

/**
 * What stands for a job's `unique` constraint. Two jobs of one name are the same job when their constraints are equal,
 * whatever order their keys were written in; the constraint is not searched for in other jobs' data.
 */
export function uniqueKey(unique: Record<string, unknown>): Buffer {
  return createHash('sha256').update(canonical(unique)).digest();
}
