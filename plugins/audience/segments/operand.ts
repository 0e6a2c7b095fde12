import type { SqlValue } from '#core/runtime/database/statement.js';
import type { Condition } from '../condition.js';

/** An SQL condition on a value; `parameters` are in the order of its placeholders. */
export interface Predicate {
  /** @param value SQL expression of the value: a column, so that it may appear more than once */
  sql: (value: string) => string;
  parameters: readonly SqlValue[];
}

/**
 * The rows of an index that contain the values of an operand. A query can start from them instead of from all contacts.
 */
export interface IndexRange {
  /** `audience_property p FORCE INDEX (value) WHERE p.key_id = ?` */
  from: string;
  parameters: readonly SqlValue[];
  /** SQL expression of the contact's id. */
  id: string;
  /** Whether a contact can appear more than once. */
  hasDuplicates?: true;
  /** Whether the rows of one value are in the order of the contacts' ids. */
  ordered: boolean;
}

/** Where the value of a field is stored. A contact has at most one value. */
export interface Operand {
  /** Equal for comparisons of the same value, which are then combined. */
  key: string;
  /** SQL expression of the value. */
  value: string;
  /** Finds the row of a contact; null if the value is a column of the contact `c` itself. */
  row: ((contactId: string) => Condition) | null;
  range: IndexRange | null;
}

/** A condition on one operand. */
export interface Comparison {
  operand: Operand;
  predicate: Predicate;
  /** Whether a contact without a value matches. */
  whenMissing: boolean;
  /** Whether it is equality with a single value. */
  isEquality: boolean;
}

export const constant = (sql: '1' | '0'): Predicate => ({ sql: () => sql, parameters: [] });

export const negate = ({ operand, predicate, whenMissing }: Comparison): Comparison => ({
  operand,
  predicate: { sql: (value) => `NOT (${predicate.sql(value)})`, parameters: predicate.parameters },
  whenMissing: !whenMissing,
  isEquality: false,
});

/** Combines comparisons of one operand, so that its row is read once for all of them. */
export function combine(how: 'all' | 'any', comparisons: readonly [Comparison, ...Comparison[]]): Comparison {
  const [first] = comparisons;
  if (comparisons.length === 1) return first;
  const operator = how === 'all' ? ' AND ' : ' OR ';
  return {
    operand: first.operand,
    predicate: {
      sql: (value) => comparisons.map(({ predicate }) => `(${predicate.sql(value)})`).join(operator),
      parameters: comparisons.flatMap(({ predicate }) => predicate.parameters),
    },
    whenMissing:
      how === 'all' ? comparisons.every((each) => each.whenMissing) : comparisons.some((each) => each.whenMissing),
    isEquality: how === 'all' && comparisons.some((each) => each.isEquality),
  };
}

/** The comparison as a condition on one contact. @param contactId SQL expression of the contact's id */
export function comparisonCondition({ operand, predicate, whenMissing }: Comparison, contactId: string): Condition {
  const test = predicate.sql(operand.value);
  const row = operand.row?.(contactId);
  // A scalar subquery, because MariaDB and MySQL turn EXISTS into a join and then choose their own join order.
  const sql = row ? `(SELECT ${test} FROM ${row.sql})` : `(${test})`;
  const parameters = [...predicate.parameters, ...(row?.parameters ?? [])];
  // Without a row, or with a NULL value, the result is NULL, which counts as false: nothing above negates it.
  return { sql: whenMissing ? `COALESCE(${sql}, 1)` : sql, parameters };
}

/**
 * The contacts that match, as rows of the operand's index; null if contacts without a value match too, since no index
 * lists them.
 */
export function indexRows({ operand, predicate, whenMissing }: Comparison): Condition | null {
  const { range, value } = operand;
  if (!range || whenMissing) return null;
  return {
    sql: `SELECT ${range.hasDuplicates ? 'DISTINCT ' : ''}${range.id} AS contact_id FROM ${range.from} AND (${predicate.sql(value)})`,
    parameters: [...range.parameters, ...predicate.parameters],
  };
}
