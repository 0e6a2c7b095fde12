import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { findMigrations } from '#core/runtime/database/migrate.js';
import { queueTable, workTable } from '#core/runtime/work/tables.js';
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
  'svc_erased_name',
  'svc_erasure',
  'svc_erasure_deferred',
  'svc_event',
  'svc_event_batch',
  'svc_event_counter',
  'svc_heartbeat',
  'svc_idempotency',
  'svc_identity',
  'svc_identity_change',
  'svc_job',
  'svc_limit',
  'svc_migration',
  'svc_node',
  'svc_root_key',
  'svc_setting',
  'svc_table_size',
];

/**
 * The tables of work queues, which have no EntitySchema: those whose DDL came from `queueTable`, or once from
 * `workTable`.
 */
async function queueTables(owners: readonly string[]): Promise<string[]> {
  const migrations = await findMigrations(fileURLToPath(new URL('../../migrations/', import.meta.url)), owners);
  const named = (sql: string): string => /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(sql)?.[1] ?? '';
  return migrations
    .flatMap(({ statements }) => statements)
    .filter((sql) => [queueTable, workTable].some((ddl) => sql === ddl(named(sql))))
    .map(named);
}

/** The columns that queues have in addition to those of queueTable. */
const additional: Readonly<Record<string, readonly string[]>> = { email_chunk: ['last_id'] };

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
    const withoutSchema = [...kernelOwn, ...(await queueTables(['core', ...deployment.products]))];
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

  it('give every work queue the columns and indexes of queueTable, whichever migration made it', async () => {
    const { database, deployment } = platform.running.services;
    await database.run(queueTable('lab_queue'));
    const shapeOf = async (table: string): Promise<unknown> => [
      await database.rows(
        `SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE FROM information_schema.COLUMNS
         WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME NOT IN (?) ORDER BY ORDINAL_POSITION`,
        [table, [...(additional[table] ?? []), '']],
      ),
      await database.rows(
        `SELECT INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME, NON_UNIQUE FROM information_schema.STATISTICS
         WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY INDEX_NAME, SEQ_IN_INDEX`,
        [table],
      ),
    ];
    const expected = await shapeOf('lab_queue');
    await database.run('DROP TABLE lab_queue');
    const tables = await queueTables(['core', ...deployment.products]);
    expect(tables).to.include.members(['svc_erasure_queue', 'developers_webhook_queue']);
    for (const table of tables) expect(await shapeOf(table), table).to.deep.equal(expected);
  });
});
