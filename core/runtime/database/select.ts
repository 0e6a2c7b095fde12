import type { DataSource, EntityMetadata, EntitySchema, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { SqlValue } from './session.js';

/** A SELECT of whole rows of one table where columns equal values. */
export interface PlainSelect {
  sql: string;
  parameters: SqlValue[];
  metadata: EntityMetadata;
}

/** The text of each statement, by table and compared columns. */
const texts = new WeakMap<EntityMetadata, Map<string, string>>();

/** A value that is compared for equality; null, lists and TypeORM's operators are not. */
const isPlain = (value: unknown): value is SqlValue =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value instanceof Date ||
  Buffer.isBuffer(value);

function textOf(metadata: EntityMetadata, names: readonly string[]): string {
  const known = texts.get(metadata) ?? new Map<string, string>();
  texts.set(metadata, known);
  const key = names.join();
  const found = known.get(key);
  if (found !== undefined) return found;
  const columns = metadata.columns.map((column) => `\`${column.databaseName}\``).join(', ');
  const conditions = names.map((name) => `\`${name}\` = ?`).join(' AND ');
  const made = `SELECT ${columns} FROM \`${metadata.tableName}\` WHERE ${conditions}`;
  known.set(key, made);
  return made;
}

/**
 * A lookup by equality in a table that `defineTable` did not make. TypeORM's query builder builds the text anew for every call, at three
 * times the CPU cost of running it (measured).
 * @returns undefined where `where` needs TypeORM
 */
export function plainSelect<E extends ObjectLiteral>(
  dataSource: DataSource,
  table: EntitySchema<E>,
  where: FindOptionsWhere<E>,
): PlainSelect | undefined {
  const metadata = dataSource.getMetadata(table);
  const names: string[] = [];
  const parameters: SqlValue[] = [];
  for (const [name, value] of Object.entries(where)) {
    const column = metadata.columns.find(({ propertyName }) => propertyName === name);
    const stored: unknown = column && isPlain(value) ? dataSource.driver.preparePersistentValue(value, column) : null;
    if (!column || !isPlain(stored)) return undefined;
    names.push(column.databaseName);
    parameters.push(stored);
  }
  if (names.length === 0 || metadata.relations.length > 0 || metadata.embeddeds.length > 0) return undefined;
  return { sql: textOf(metadata, names), parameters, metadata };
}

/** Rows as the table's entities, decoded as TypeORM would. */
export function entitiesOf<E>(dataSource: DataSource, metadata: EntityMetadata, rows: readonly object[]): E[];
export function entitiesOf({ driver }: DataSource, { columns }: EntityMetadata, rows: readonly object[]): object[] {
  return rows.map((row) => {
    const entity: Record<string, unknown> = {};
    for (const column of columns) {
      entity[column.propertyName] = driver.prepareHydratedValue(Reflect.get(row, column.databaseName), column);
    }
    return entity;
  });
}
