import type { RawSql } from './session.js';
import type { Statement } from './statement.js';

declare const written: unique symbol;

/** A value as SQL writes it. The functions below alone make one, so that nothing gets into a statement as it came. */
export type Literal = string & { readonly [written]: true };

function literal(text: string): Literal;
function literal(text: unknown): unknown {
  return text;
}

const nothing = literal('NULL');

/** The column's default value. */
export const defaultLiteral = literal('DEFAULT');

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What ends a quoted text, or escapes within it in one of the server's modes. */
const unquotable = /['\\]/;

/** The 16 bytes that a UUID is stored as, without making them first. @throws Error where it is none */
export function idLiteral(id: string | null): Literal {
  if (id === null) return nothing;
  if (!idForm.test(id)) throw new Error('What stands for an id is none.');
  return literal(`x'${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(14, 18)}${id.slice(19, 23)}${id.slice(24)}'`);
}

export const bytesLiteral = (bytes: Buffer | null): Literal =>
  bytes === null ? nothing : literal(`x'${bytes.toString('hex')}'`);

/** For columns of text, and for those of exact bytes: these get its UTF-8. */
export function textLiteral(text: string | null): Literal {
  if (text === null) return nothing;
  if (!unquotable.test(text)) return literal(`'${text}'`);
  return literal(`_utf8mb4 x'${Buffer.from(text).toString('hex')}'`);
}

export function numberLiteral(value: number | null): Literal {
  if (value === null) return nothing;
  if (!Number.isFinite(value)) throw new Error('SQL has no such number.');
  return literal(String(value));
}

/** A literal where a placeholder stands. */
export const literalParameter = (value: Literal): RawSql => ({ toSqlString: () => value });

/** Times stand in UTC, as the sessions do. */
export const timeLiteral = (at: Date | null): Literal =>
  at === null ? nothing : literal(`'${at.toISOString().slice(0, 23).replace('T', ' ')}'`);

/**
 * One INSERT for many rows, whose values are written out as they are made. Against `insertInto`, which hands the driver each value by
 * itself, hundreds of rows cost a third (measured): no buffers, no lists of thousands of values, no second look at each.
 * @param table a table's name, of our own choosing, never input
 * @param rows at least one; its literals in the order of `columns`
 */
export function insertLiterals(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Literal[])[],
): Statement {
  const values = rows.map((row) => `(${row.join(',')})`).join(',');
  return {
    sql: `INSERT INTO \`${table}\` (${columns.map((column) => `\`${column}\``).join(', ')}) VALUES ?`,
    parameters: [{ toSqlString: () => values }],
  };
}
