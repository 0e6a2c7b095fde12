import { isId } from '../id-form.js';
import type { RawSql, Statement } from './statement.js';

declare const isLiteral: unique symbol;

/** A value as SQL text. Only the functions below make one, so no value gets into a statement unescaped. */
export type Literal = string & { readonly [isLiteral]: true };

function literal(text: string): Literal;
function literal(text: unknown): unknown {
  return text;
}

const nothing = literal('NULL');

/** The column's default value. */
export const defaultLiteral = literal('DEFAULT');

/** Characters that end a quoted string, or escape in it in one of the server's modes. */
const unquotable = /['\\]/;

/** The 16 bytes of a UUID. @throws Error for any other text */
export function idLiteral(id: string | null): Literal {
  if (id === null) return nothing;
  if (!isId(id)) throw new Error('The value of an id column is not a UUID.');
  return literal(`x'${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(14, 18)}${id.slice(19, 23)}${id.slice(24)}'`);
}

export const bytesLiteral = (bytes: Buffer | null): Literal =>
  bytes === null ? nothing : literal(`x'${bytes.toString('hex')}'`);

/** For text columns, and for binary columns, which store its UTF-8 bytes. */
export function textLiteral(text: string | null): Literal {
  if (text === null) return nothing;
  if (!unquotable.test(text)) return literal(`'${text}'`);
  return literal(`_utf8mb4 x'${Buffer.from(text).toString('hex')}'`);
}

export function numberLiteral(value: number | null): Literal {
  if (value === null) return nothing;
  if (!Number.isFinite(value)) throw new Error('The value of a numeric column is not a finite number.');
  return literal(String(value));
}

export const bigintLiteral = (value: bigint | null): Literal => (value === null ? nothing : literal(value.toString()));

/** A literal as the value of a placeholder. */
export const literalParameter = (value: Literal): RawSql => ({ toSqlString: () => value });

/**
 * Ids for `IN (?)`, at least one: written as text, hundreds of them take a fraction of the time that buffers take in
 * the driver.
 */
export const idList = (ids: readonly string[]): RawSql => {
  const text = ids.map(idLiteral).join(',');
  return { toSqlString: () => text };
};

/** In UTC, the time zone of all sessions. */
export const timeLiteral = (at: Date | null): Literal =>
  at === null ? nothing : literal(`'${at.toISOString().slice(0, 23).replace('T', ' ')}'`);

/**
 * One INSERT for many rows, with the values written into its text. For hundreds of rows it takes a third of the CPU
 * time of `insertInto`, which passes each value to the driver (measured): it makes no buffers and no lists of
 * thousands of values.
 * @param table a table's name; never input
 * @param rows at least one row; its literals in the order of `columns`
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
