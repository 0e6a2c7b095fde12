import type { SqlValue } from '#core/runtime/database/session.js';
import type { Condition } from '../eligibility/conditions.js';

/** A piece of SQL that speaks of a value; placeholders in the order of its parameters. */
export interface Predicate {
  /** @param value the expression of the value; a column, so it may stand more than once */
  sql: (value: string) => string;
  parameters: readonly SqlValue[];
}

/** Rows of an index that a condition can begin with, instead of with all contacts. */
export interface Range {
  /** `audience_property p FORCE INDEX (value) WHERE p.key_id = ?` */
  from: string;
  parameters: readonly SqlValue[];
  /** The expression of the contact's id. */
  id: string;
  /** One contact may stand there more than once. */
  repeats?: true;
  /** Behind one value, the index holds the contacts' ids in their order. */
  ordered: boolean;
}

/** Where a field's value of one contact stands, and its index. At most one value per contact. */
export interface Cell {
  /** Equal for conditions about the same value, which are then asked at once. */
  key: string;
  /** The expression of the value. */
  value: string;
  /** Finds the row by the contact's id; null where it is a column of the contact `c` itself. */
  row: ((id: string) => Condition) | null;
  range: Range | null;
}

/** A condition about one cell. */
export interface CellTest {
  cell: Cell;
  predicate: Predicate;
  /** Does a contact without a value pass? */
  otherwise: boolean;
  /** Equality with one value. */
  point: boolean;
}

export const constant = (sql: '1' | '0'): Predicate => ({ sql: () => sql, parameters: [] });

export const contrary = ({ cell, predicate, otherwise }: CellTest): CellTest => ({
  cell,
  predicate: { sql: (value) => `NOT (${predicate.sql(value)})`, parameters: predicate.parameters },
  otherwise: !otherwise,
  point: false,
});

/** Conditions about one cell as one: its row is read once for all of them. */
export function together(how: 'all' | 'any', tests: readonly [CellTest, ...CellTest[]]): CellTest {
  const [first] = tests;
  if (tests.length === 1) return first;
  const word = how === 'all' ? ' AND ' : ' OR ';
  return {
    cell: first.cell,
    predicate: {
      sql: (value) => tests.map(({ predicate }) => `(${predicate.sql(value)})`).join(word),
      parameters: tests.flatMap(({ predicate }) => predicate.parameters),
    },
    otherwise: how === 'all' ? tests.every((each) => each.otherwise) : tests.some((each) => each.otherwise),
    point: how === 'all' && tests.some((each) => each.point),
  };
}

/** The condition as it is asked of one contact. @param id the expression of the contact's id */
export function asked({ cell, predicate, otherwise }: CellTest, id: string): Condition {
  const test = predicate.sql(cell.value);
  const row = cell.row?.(id);
  // A scalar subquery is what both servers leave as it is: EXISTS they turn into joins, and then choose an order of their own.
  const sql = row ? `(SELECT ${test} FROM ${row.sql})` : `(${test})`;
  const parameters = [...predicate.parameters, ...(row?.parameters ?? [])];
  // No row, or NULL: not true is false here, since nothing above negates.
  return { sql: otherwise ? `COALESCE(${sql}, 1)` : sql, parameters };
}

/** The same as rows of the cell's index; null where contacts without a value pass too, whom no index of values holds. */
export function ranged({ cell, predicate, otherwise }: CellTest): Condition | null {
  const { range, value } = cell;
  if (!range || otherwise) return null;
  return {
    sql: `SELECT ${range.repeats ? 'DISTINCT ' : ''}${range.id} AS contact_id FROM ${range.from} AND (${predicate.sql(value)})`,
    parameters: [...range.parameters, ...predicate.parameters],
  };
}
