import type { SqlValue } from './session.js';

/** One SQL statement (or several, separated by `;`) with the values of its placeholders. */
export interface Statement {
  sql: string;
  parameters: readonly SqlValue[];
}

/** Several statements as one text, for one round trip. */
export function joined(statements: readonly Statement[]): Statement {
  return {
    sql: statements.map((statement) => statement.sql).join(';\n'),
    parameters: statements.flatMap((statement) => statement.parameters),
  };
}

/** How many statements a text of `joined` holds, and so how many answers it gets. Values never stand in the text. */
export const countIn = ({ sql }: Statement): number => sql.split(';\n').length;

/**
 * One INSERT for all `rows`, which name the same columns.
 * @param table a table's name, of our own choosing, never input
 */
export function insertInto(table: string, rows: readonly Readonly<Record<string, SqlValue>>[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const marks = `(${columns.map(() => '?').join(', ')})`;
  const parameters: SqlValue[] = [];
  for (const row of rows) {
    for (const column of columns) parameters.push(row[column] ?? null);
  }
  return {
    sql: `INSERT INTO \`${table}\` (${columns.map((column) => `\`${column}\``).join(', ')}) VALUES ${rows.map(() => marks).join(', ')}`,
    parameters,
  };
}
