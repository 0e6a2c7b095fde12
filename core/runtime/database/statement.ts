/** SQL as the value of a placeholder (see literal.ts): the statement's text, which errors show, holds no values. */
export interface RawSql {
  toSqlString(): string;
}

export type SqlValue = string | number | bigint | boolean | Date | Buffer | null | RawSql | readonly SqlValue[];

/** One SQL statement (or several, separated by `;`) with the values of its placeholders. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** The statements of `joined`. */
  readonly parts?: readonly Statement[];
}

/** Several statements as one text, which takes one round trip. */
export function joined(statements: readonly Statement[]): Statement {
  const parts = statements.flatMap((statement) => statement.parts ?? [statement]);
  return {
    parts,
    // On demand: mostly, only the parts are used.
    get sql() {
      return parts.map(({ sql }) => sql).join(';\n');
    },
    get parameters() {
      return parts.flatMap(({ parameters }) => parameters);
    },
  };
}

/** Whether there is nothing to run: `joined([])`. */
export const isEmpty = (statement: Statement): boolean =>
  statement.parts ? statement.parts.length === 0 : statement.sql === '';

/** The number of values. */
export const valueCount = (statement: Statement): number =>
  statement.parts ? statement.parts.reduce((sum, part) => sum + valueCount(part), 0) : statement.parameters.length;

/**
 * A statement as a Session's methods take it: whole, or as its text and values.
 * @param statement an SQL text, or a statement
 * @param parameters the values of a text's placeholders
 */
export const asStatement = (statement: string | Statement, parameters: readonly SqlValue[] = []): Statement =>
  typeof statement === 'string' ? { sql: statement, parameters } : statement;

/** An INSERT that skips rows whose key exists. */
export const orIgnore = ({ sql, parameters }: Statement): Statement => ({
  sql: sql.replace(/^INSERT INTO/, 'INSERT IGNORE INTO'),
  parameters,
});

/**
 * An INSERT that changes the rows whose key exists.
 * @param changes assignments in SQL, without placeholders
 */
export const orUpdate = ({ sql, parameters }: Statement, changes: string): Statement => ({
  sql: `${sql} ON DUPLICATE KEY UPDATE ${changes}`,
  parameters,
});

/** The number of statements in a text of `joined`, and so of its answers. The text holds placeholders, not values. */
export const countIn = (statement: Statement): number =>
  statement.parts ? statement.parts.reduce((sum, part) => sum + countIn(part), 0) : statement.sql.split(';\n').length;

/** The text that all INSERTs of the same columns share. */
interface Shape {
  head: string;
  marks: string;
}

const shapes = new Map<string, Shape>();

function shapeOf(table: string, columns: readonly string[]): Shape {
  const name = `${table} ${columns.join()}`;
  const known = shapes.get(name);
  if (known) return known;
  const made = {
    head: `INSERT INTO \`${table}\` (${columns.map((column) => `\`${column}\``).join(', ')}) VALUES `,
    marks: `(${columns.map(() => '?').join(', ')})`,
  };
  shapes.set(name, made);
  return made;
}

/**
 * One INSERT for all `rows`, which have the same columns.
 * @param table a table's name; never input
 */
export function insertInto(table: string, rows: readonly Readonly<Record<string, SqlValue>>[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const { head, marks } = shapeOf(table, columns);
  const parameters: SqlValue[] = [];
  for (const row of rows) {
    for (const column of columns) parameters.push(row[column] ?? null);
  }
  return {
    sql: rows.length === 1 ? head + marks : head + Array.from(rows, () => marks).join(', '),
    parameters,
  };
}
