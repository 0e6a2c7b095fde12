import type { EntitySchemaColumnOptions } from 'typeorm';
import { EntitySchema } from 'typeorm/entity-schema/EntitySchema.js';
import type { Column } from './columns.js';
import { literalParameter, type Literal } from './literal.js';
import { orUpdate, type SqlValue, type Statement } from './statement.js';

/** A column of any kind. */
interface AnyColumn extends EntitySchemaColumnOptions {
  readonly literal: (value: never) => Literal;
  readonly decode: (stored: unknown) => unknown;
}

type Columns = Readonly<Record<string, AnyColumn>>;

/** The row that columns describe. */
export type RowFrom<C> = { -readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

/** The row of a table: `type ContactRow = RowOf<typeof contacts>`. */
export type RowOf<T> = T extends Table<infer R> ? R : never;

interface TableColumn {
  /** In the database. */
  readonly name: string;
  /** The value as SQL text. */
  readonly literal: (value: unknown) => Literal;
  /** The value as a placeholder takes it. */
  readonly parameter: (value: unknown) => unknown;
}

/** The name of a schema's table in the database. */
export const tableNameOf = ({ options }: EntitySchema): string => options.tableName ?? options.name;

/**
 * A table, defined once: TypeORM's schema of it, and how plain SQL selects, inserts and updates its rows. Rows have
 * camelCase names, columns snake_case ones.
 */
export interface Table<R extends object> extends EntitySchema<R> {
  readonly tableName: string;
  /** By field, in the order of their definition. */
  readonly tableColumns: ReadonlyMap<string, TableColumn>;
  /** The column's name in the database: `createdAt` → `created_at`. */
  columnName(field: keyof R & string): string;
  /** Every column, for SELECT: `id, environment_id, …`, each with the prefix `alias.` if one is given. */
  columnList(alias?: string): string;
  /** The row from a result of plain SQL that selected `columnList`. */
  decode(result: object): R;
  /** The same, with a prefix in each column's name: `SELECT s.id AS s_id, …`. */
  decoder(prefix: string): (result: object) => R;
  /** One INSERT for `rows`; at least one. */
  insertRows(rows: readonly R[]): Statement;
  /** The same, but if a unique index already has the row, an update of `update`. */
  upsertRows(rows: readonly R[], update: readonly (keyof R & string)[]): Statement;
  /** `SELECT columnList WHERE <where> FOR UPDATE`, joined by AND; `where` contains no nulls. */
  lockRows(where: Partial<R>): Statement;
  /** `UPDATE … SET values WHERE <where>`, joined by AND; `where` contains no nulls. */
  updateRow(where: Partial<R>, values: Partial<R>): Statement;
}

/** `createdAt` → `created_at`. */
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Defines a table: `defineTable('email_sender', { environmentId: primary(uuidColumn()), fromName:
 * nullable(textColumn(120)) })`. Migrations create the table; test/contract/tables.test.ts compares both.
 */
export function defineTable<const C extends Columns>(name: string, columns: C): Table<RowFrom<C>>;
export function defineTable(name: string, columns: Readonly<Record<string, Column<unknown>>>): unknown {
  const fields = Object.entries(columns).map(([field, column]) => ({ field, column, name: snakeCase(field) }));
  const names = fields.map((each) => each.name);
  const lists = new Map<string, string>();
  const byField = new Map(fields.map((each) => [each.field, each]));

  const literalOf = (field: string, value: unknown): Literal => {
    const known = byField.get(field);
    if (!known) throw new Error(`The table ${name} has no column for ${field}.`);
    return known.column.literal(value);
  };
  const assignments = (values: object): { sql: string[]; parameters: SqlValue[] } => {
    const given = Object.entries(values);
    return {
      sql: given.map(([field]) => `${snakeCase(field)} = ?`),
      parameters: given.map(([field, value]) => literalParameter(literalOf(field, value))),
    };
  };
  // Loops over plain arrays, without intermediate lists: an import calls these for every row.
  const allColumns = names.map((each) => `\`${each}\``).join(', ');
  const insertHead = `INSERT INTO \`${name}\` (${allColumns}) VALUES ?`;
  const insertRows = (rows: readonly Readonly<Record<string, unknown>>[]): Statement => {
    let values = '';
    for (const row of rows) {
      let literals = '';
      for (const { field, column } of fields) literals += `,${column.literal(row[field])}`;
      values += `${values === '' ? '' : ','}(${literals.slice(1)})`;
    }
    return { sql: insertHead, parameters: [{ toSqlString: () => values }] };
  };
  const decoder = (prefix: string): ((result: Readonly<Record<string, unknown>>) => object) => {
    const found = fields.map(({ field, column, name: stored }) => ({ field, column, from: `${prefix}${stored}` }));
    return (result) => {
      const row: Record<string, unknown> = {};
      for (const { field, column, from } of found) row[field] = column.decode(result[from]);
      return row;
    };
  };

  const schema = new EntitySchema<Record<string, unknown>>({
    name,
    columns: Object.fromEntries(fields.map(({ field, column }) => [field, ormOptions(column)])),
  });
  return Object.assign(schema, {
    tableName: name,
    tableColumns: new Map(fields.map(({ field, column, name: stored }) => [field, tableColumn(stored, column)])),
    columnName: snakeCase,
    columnList(alias = '') {
      const known = lists.get(alias);
      if (known !== undefined) return known;
      const made = names.map((each) => (alias === '' ? `\`${each}\`` : `${alias}.\`${each}\``)).join(', ');
      lists.set(alias, made);
      return made;
    },
    decode: decoder(''),
    decoder,
    insertRows,
    upsertRows(rows: readonly Readonly<Record<string, unknown>>[], update: readonly string[]) {
      const changes = update.map(snakeCase).map((each) => `\`${each}\` = VALUES(\`${each}\`)`);
      return orUpdate(insertRows(rows), changes.join(', '));
    },
    lockRows(where: object) {
      const { sql, parameters } = assignments(where);
      return { sql: `SELECT ${allColumns} FROM \`${name}\` WHERE ${sql.join(' AND ')} FOR UPDATE`, parameters };
    },
    updateRow(where: object, values: object) {
      const [set, condition] = [assignments(values), assignments(where)];
      return {
        sql: `UPDATE \`${name}\` SET ${set.sql.join(', ')} WHERE ${condition.sql.join(' AND ')}`,
        parameters: [...set.parameters, ...condition.parameters],
      };
    },
  });
}

function tableColumn(name: string, { literal, transformer }: Column<unknown>): TableColumn {
  const parameter =
    transformer && !Array.isArray(transformer)
      ? (value: unknown): unknown => transformer.to(value)
      : (value: unknown) => value;
  return { name, literal, parameter };
}

/** TypeORM's options for a column. */
const ormOptions = ({ literal: _literal, decode: _decode, ...options }: Column<unknown>): EntitySchemaColumnOptions =>
  options;
