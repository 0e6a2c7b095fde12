import { migrationsFolder } from '#core/platform/migrations-folder.js';
import { dayMs } from '#core/runtime/clock.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { findMigrations, migrate, type Migration } from '#core/runtime/database/migrate.js';
import { divideTable } from '#core/runtime/database/partitions/divide.js';
import type { Session } from '#core/runtime/database/session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { onVitess } from './vitess.js';

interface SeedRow {
  readonly table: string;
  readonly values: Readonly<Record<string, SqlValue>>;
}

/** A database with all tables, which the tests of this process use one after the other. */
interface MigratedDatabase extends TestDatabase {
  /** The definitions of its tables and triggers, and the recorded migrations. */
  readonly schema: string;
  readonly tables: readonly string[];
  /** The rows that migrations insert. */
  readonly seeds: readonly SeedRow[];
}

/** The table of the migrations that ran, which is not emptied. */
const recorded = 'svc_migration';

/** DELETE is faster for a few rows. After many, it would leave statistics that change the choice of indexes. */
const mostDeleted = 50;

/** Databases that no test uses now, by the owners of their migrations. */
const free = new Map<string, MigratedDatabase[]>();

/**
 * A migrated database without data, for one test file. Creating and dropping the tables takes seconds, so a database is
 * emptied and used again after `drop`. It is really dropped if a test changed its tables or is still connected to it.
 * @param owners of migrations: core and the enabled products
 */
export async function takeMigratedDatabase(owners: readonly string[]): Promise<TestDatabase> {
  const migrations = await findMigrations(migrationsFolder, owners);
  const key = [...new Set(migrations.map(({ owner }) => owner))].join();
  const sameOwners = free.get(key) ?? [];
  free.set(key, sameOwners);
  const database = (await nextEmptied(sameOwners)) ?? (await create(migrations));
  return { url: database.url, drop: async () => void sameOwners.push(database) };
}

async function nextEmptied(databases: MigratedDatabase[]): Promise<MigratedDatabase | undefined> {
  for (let next = databases.pop(); next; next = databases.pop()) {
    if (await empty(next)) return next;
    await next.drop();
  }
  return undefined;
}

async function create(migrations: readonly Migration[]): Promise<MigratedDatabase> {
  const database = await createTestDatabase();
  return connected(database.url, async (db) => {
    await migrate(db, migrations);
    if (process.env['SVC_TEST_PARTITIONS'] === '1') await divide(db);
    const tables = (await tablesOf(db)).filter((table) => table !== recorded);
    const seeds: SeedRow[] = [];
    for (const { table } of await filledOf(db, tables)) {
      const rows = await db.rows<Record<string, SqlValue>>(`SELECT * FROM \`${table}\``);
      seeds.push(...rows.map((values) => ({ table, values })));
    }
    return { ...database, schema: await schemaOf(db), tables, seeds };
  });
}

/** Divides tables by time, as npm run partition does. Rows of the present go to a partition of their own. */
async function divide(db: Session): Promise<void> {
  const now = new Date(Date.now() - 2 * dayMs);
  for (const table of ['svc_event', 'svc_activity'])
    await divideTable(db, table, { days: 1, now, progress: () => undefined });
}

/** Removes all data and the tables that tests added. @returns false if the database cannot be used again */
function empty({ url, schema, tables, seeds }: MigratedDatabase): Promise<boolean> {
  return connected(url, async (db) => {
    if (await hasOthers(db)) return false;
    const added = (await tablesOf(db)).filter((table) => table !== recorded && !tables.includes(table));
    for (const table of added) await db.run(`DROP TABLE \`${table}\``);
    if ((await schemaOf(db)) !== schema) return false;
    for (const { table, count } of await filledOf(db, tables))
      await db.run(count > mostDeleted ? `TRUNCATE TABLE \`${table}\`` : `DELETE FROM \`${table}\``);
    for (const { table, values } of seeds) {
      const columns = Object.keys(values).map((name) => `\`${name}\``);
      await db.run(`INSERT INTO \`${table}\` (${columns.join()}) VALUES (?)`, [Object.values(values)]);
    }
    return true;
  });
}

/** Whether others are connected. On Vitess, the server's connections are those of vttablet, which stay. */
async function hasOthers(db: Session): Promise<boolean> {
  if (onVitess) return false;
  const [open] = await db.rows<{ others: number }>(
    'SELECT COUNT(*) AS others FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
  );
  return open?.others !== 0;
}

async function connected<T>(url: string, work: (db: Session) => Promise<T>): Promise<T> {
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function tablesOf(db: Session): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  return rows.map(({ name }) => name);
}

async function schemaOf(db: Session): Promise<string> {
  const definitions = (await tablesOf(db)).map((table) => `SHOW CREATE TABLE \`${table}\``);
  const triggers =
    'SELECT trigger_name, action_statement FROM information_schema.triggers WHERE trigger_schema = DATABASE()';
  return JSON.stringify(
    await db.batch([...definitions, triggers, `SELECT * FROM ${recorded} ORDER BY owner, name, statement`].join(';')),
  );
}

/** The tables that have rows. `count` is exact up to `mostDeleted`. */
async function filledOf(db: Session, tables: readonly string[]): Promise<{ table: string; count: number }[]> {
  const counts = tables.map(
    (table) =>
      `SELECT '${table}' AS \`table\`, COUNT(*) AS count FROM (SELECT 1 FROM \`${table}\` LIMIT ${mostDeleted + 1}) AS some`,
  );
  const rows = await db.rows<{ table: string; count: number }>(counts.join(' UNION ALL '));
  return rows.filter(({ count }) => count > 0);
}
