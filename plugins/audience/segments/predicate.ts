import type { SqlValue } from '#core/runtime/database/session.js';
import type { PropertyValue } from '../contacts/value-key.js';
import { constant, type Predicate } from './operand.js';
import type { Test } from './tree.js';

/** How values of a field stand in its column. */
export interface Codec {
  stored(value: PropertyValue): SqlValue;
}

const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Above every text that begins with `prefix`: no byte of UTF-8 is 0xff. */
const behind = (prefix: Buffer): Buffer => Buffer.concat([prefix, Buffer.of(0xff)]);

export const between = (from: SqlValue, to: SqlValue): Predicate => ({
  sql: (value) => `${value} >= ? AND ${value} < ?`,
  parameters: [from, to],
});

export const startsWith = (prefix: Buffer): Predicate => between(prefix, behind(prefix));

export const within = (days: number, now: Date): { from: Date; to: Date } => ({
  from: new Date(now.getTime() - days * 86_400_000),
  to: now,
});

/** Membership; a list of one as equality, which an index reads in order. */
export const among = (values: readonly SqlValue[]): Predicate =>
  values.length === 1
    ? { sql: (value) => `${value} = ?`, parameters: values }
    : { sql: (value) => `${value} IN (?)`, parameters: [values] };

/** A test of a column that holds values of one kind, in bytes or as a time or a number. */
export function plainPredicate(test: Test, { stored }: Codec, now: Date): Predicate {
  switch (test.op) {
    case 'exists':
      return { sql: (value) => `${value} IS NOT NULL`, parameters: [] };
    case 'in':
      return among(test.values.map(stored));
    case 'starts_with':
      return startsWith(Buffer.from(test.value));
    case 'contains':
      return { sql: (value) => `LOCATE(?, ${value}) > 0`, parameters: [Buffer.from(test.value)] };
    case 'within_days': {
      const { from, to } = within(test.days, now);
      return { sql: (value) => `${value} >= ? AND ${value} <= ?`, parameters: [from, to] };
    }
    default:
      return { sql: (value) => `${value} ${signs[test.op]} ?`, parameters: [stored(test.value)] };
  }
}

export const isPoint = (test: Test): boolean => test.op === 'in' && test.values.length === 1;

export const always = constant('1');
