import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { findMigrations } from '#core/runtime/database/migrate.js';
import { workTable } from '#core/runtime/work/queue.js';
import { usePlatform } from '#test/support/platform.js';

interface Column {
  TABLE_NAME: string;
  COLUMN_NAME: string;
  COLUMN_TYPE: string;
  IS_NULLABLE: string;
  COLUMN_KEY: string;
}

/** Kernel tables that plain SQL alone reads and writes. Beside them only work queues have no EntitySchema. */
const kernelOwn = [
  'svc_activity',
  'svc_ceiling',
  'svc_erasure',
  'svc_event',
  'svc_idempotency',
  'svc_job',
  'svc_limit',
  'svc_migration',
  'svc_root_key',
];

/** The queues behind the operations, which runtime/work alone reads and writes: made by `workTable`, word for word. */
async function workTables(owners: readonly string[]): Promise<string[]> {
  const migrations = await findMigrations(fileURLToPath(new URL('../../migrations/', import.meta.url)), owners);
  const named = (sql: string): string => /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(sql)?.[1] ?? '';
  return migrations
    .flatMap(({ statements }) => statements)
    .filter((sql) => sql === workTable(named(sql)))
    .map(named);
}

/** A column in one line: what the schema says and what the migration made must read alike. */
function declared(dataSource: DataSource, column: ColumnMetadata): string {
  const type = dataSource.driver.normalizeType(column);
  const sized = column.length === '' ? type : `${type}(${column.length})`;
  return line(
    column.databaseName,
    column.precision ? `${type}(${column.precision})` : sized,
    column.isNullable,
    column.isPrimary,
  );
}

const made = ({ COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_KEY }: Column): string =>
  line(COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE === 'YES', COLUMN_KEY === 'PRI');

const line = (name: string, type: string, nullable: boolean, primary: boolean): string =>
  `${name} ${plainType(type)}${nullable ? ' null' : ''}${primary ? ' primary' : ''}`;

/** MariaDB keeps JSON as LONGTEXT, and both show a width that says nothing for whole numbers. */
const plainType = (type: string): string =>
  type.replace(/^json$/, 'longtext').replace(/^((?:tiny|small|medium|big)?int)\(\d+\)/, '$1');

describe('The tables that migrations make', () => {
  const platform = usePlatform();

  it('are those that the EntitySchemas describe, column for column', async () => {
    const { database, deployment } = platform.running.services;
    const { dataSource } = database;
    const withoutSchema = [...kernelOwn, ...(await workTables(['core', ...deployment.products]))];
    const columns = await database.rows<Column>(
      `SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_KEY FROM information_schema.COLUMNS
       WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION`,
    );
    const tables = new Map<string, string[]>();
    for (const column of columns) {
      if (withoutSchema.includes(column.TABLE_NAME)) continue;
      tables.set(column.TABLE_NAME, [...(tables.get(column.TABLE_NAME) ?? []), made(column)]);
    }
    const described = dataSource.entityMetadatas;
    expect([...tables.keys()]).to.have.members(described.map(({ tableName }) => tableName));
    for (const { tableName, columns: fields } of described) {
      expect(tables.get(tableName), tableName).to.have.members(fields.map((field) => declared(dataSource, field)));
    }
  });
});
