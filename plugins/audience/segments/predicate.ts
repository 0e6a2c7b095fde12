import { dayMs, shift } from '#core/runtime/clock.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import type { PropertyValue } from '../contacts/value-key.js';
import { constant, type Predicate } from './operand.js';
import type { Test } from './tree.js';

/** Converts a field's values to those of its column. */
export interface Encoding {
  encode(value: PropertyValue): SqlValue;
}

const comparisonOperators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** An upper bound of all texts that start with `prefix`: no byte of UTF-8 is 0xff. */
const prefixEnd = (prefix: Buffer): Buffer => Buffer.concat([prefix, Buffer.of(0xff)]);

export const between = (from: SqlValue, to: SqlValue): Predicate => ({
  sql: (value) => `${value} >= ? AND ${value} < ?`,
  parameters: [from, to],
});

export const startsWith = (prefix: Buffer): Predicate => between(prefix, prefixEnd(prefix));

export const daysRange = (days: number, now: Date): { from: Date; to: Date } => ({
  from: shift(now, -days * dayMs),
  to: now,
});

/**
 * Membership in a list. A list of one is written as equality, which an index reads in order; an empty list has no
 * members.
 */
export function oneOfValues(values: readonly SqlValue[]): Predicate {
  if (values.length === 0) return constant('0');
  return values.length === 1
    ? { sql: (value) => `${value} = ?`, parameters: values }
    : { sql: (value) => `${value} IN (?)`, parameters: [values] };
}

/** A test of a column whose values are of one kind: bytes, times or numbers. */
export function columnPredicate(test: Test, { encode }: Encoding, now: Date): Predicate {
  switch (test.op) {
    case 'exists':
      return { sql: (value) => `${value} IS NOT NULL`, parameters: [] };
    case 'in':
      return oneOfValues(test.values.map(encode));
    case 'starts_with':
      return startsWith(Buffer.from(test.value));
    case 'contains':
      return { sql: (value) => `LOCATE(?, ${value}) > 0`, parameters: [Buffer.from(test.value)] };
    case 'within_days': {
      const { from, to } = daysRange(test.days, now);
      return { sql: (value) => `${value} >= ? AND ${value} <= ?`, parameters: [from, to] };
    }
    default:
      return { sql: (value) => `${value} ${comparisonOperators[test.op]} ?`, parameters: [encode(test.value)] };
  }
}

export const isEquality = (test: Test): boolean => test.op === 'in' && test.values.length === 1;

export const always = constant('1');
