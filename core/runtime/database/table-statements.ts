import type { EntitySchema, ObjectLiteral } from 'typeorm';
import { defaultLiteral, insertLiterals, literalParameter } from './literal.js';
import type { SqlValue, Statement } from './statement.js';
import type { Table } from './table.js';

/*
 * Statements of the Session's insert, update, remove, find, findOne and count for tables that `defineTable` made.
 * TypeORM rebuilds such a statement for every call, at three times the CPU cost of running it (measured). Each function
 * returns undefined if the table or the values need TypeORM: operators, null in a condition, SQL functions.
 */

const isTable = <E extends ObjectLiteral>(table: EntitySchema<E>): table is Table<E> => 'tableColumns' in table;

/** A value that a condition compares for equality. */
const isPlain = (value: unknown): value is SqlValue =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof Date || Buffer.isBuffer(value);

function condition(table: Table<ObjectLiteral>, where: unknown): Statement | undefined {
  const entries = typeof where === 'object' && where !== null ? Object.entries(where) : [];
  const names: string[] = [];
  const parameters: SqlValue[] = [];
  for (const [field, value] of entries) {
    const column = table.tableColumns.get(field);
    const stored: unknown = column && isPlain(value) ? column.parameter(value) : undefined;
    if (!column || !isPlain(stored)) return undefined;
    names.push(`\`${column.name}\` = ?`);
    parameters.push(stored);
  }
  return names.length === 0 ? undefined : { sql: names.join(' AND '), parameters };
}

/** `SELECT <columns> FROM <table> WHERE …`, and the table that decodes its rows. */
export function selectWhere<E extends ObjectLiteral>(
  table: EntitySchema<E>,
  where: unknown,
): (Statement & { readonly table: Table<E> }) | undefined {
  if (!isTable(table)) return undefined;
  const found = condition(table, where);
  return (
    found && {
      table,
      sql: `SELECT ${table.columnList()} FROM \`${table.tableName}\` WHERE ${found.sql}`,
      parameters: found.parameters,
    }
  );
}

/** `SELECT COUNT(*) AS found …` */
export function countWhere<E extends ObjectLiteral>(table: EntitySchema<E>, where: unknown): Statement | undefined {
  const found = isTable(table) ? condition(table, where) : undefined;
  return (
    found && {
      sql: `SELECT COUNT(*) AS found FROM \`${table.options.name}\` WHERE ${found.sql}`,
      parameters: found.parameters,
    }
  );
}

export function deleteWhere<E extends ObjectLiteral>(table: EntitySchema<E>, where: unknown): Statement | undefined {
  const found = isTable(table) ? condition(table, where) : undefined;
  return found && { sql: `DELETE FROM \`${table.options.name}\` WHERE ${found.sql}`, parameters: found.parameters };
}

/** Fields that are undefined keep their value. */
export function updateWhere<E extends ObjectLiteral>(
  table: EntitySchema<E>,
  where: unknown,
  values: object,
): Statement | undefined {
  const found = isTable(table) ? condition(table, where) : undefined;
  if (!isTable(table) || !found) return undefined;
  const sets: string[] = [];
  const parameters: SqlValue[] = [];
  for (const [field, value] of Object.entries(values)) {
    const column = table.tableColumns.get(field);
    if (!column || typeof value === 'function') return undefined;
    if (value === undefined) continue;
    sets.push(`\`${column.name}\` = ?`);
    parameters.push(literalParameter(column.literal(value)));
  }
  if (sets.length === 0) return undefined;
  return {
    sql: `UPDATE \`${table.tableName}\` SET ${sets.join(', ')} WHERE ${found.sql}`,
    parameters: [...parameters, ...found.parameters],
  };
}

/** One INSERT for all rows. Fields that a row does not name get the column's default. */
export function insertValues<E extends ObjectLiteral>(
  table: EntitySchema<E>,
  rows: readonly object[],
): Statement | undefined {
  if (!isTable(table) || rows.length === 0) return undefined;
  const columns = [...table.tableColumns];
  for (const row of rows) {
    for (const [field, value] of Object.entries(row))
      if (!table.tableColumns.has(field) || typeof value === 'function') return undefined;
  }
  return insertLiterals(
    table.tableName,
    columns.map(([, { name }]) => name),
    rows.map((row) =>
      columns.map(([field, { literal }]) => {
        const value: unknown = Reflect.get(row, field);
        return value === undefined ? defaultLiteral : literal(value);
      }),
    ),
  );
}
