import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConnectedDatabase } from './connect.js';
import { isSchemaChangeDone } from './errors.js';
import type { Session } from './session.js';

/** One file under migrations/<owner>/: its statements run once each, in order, and only forward. */
export interface Migration {
  owner: string;
  name: string;
  statements: readonly string[];
}

const lockSeconds = 120;

const ledger = `CREATE TABLE IF NOT EXISTS svc_migration (
  owner VARCHAR(64) NOT NULL, name VARCHAR(190) NOT NULL, statement INT NOT NULL, applied_at DATETIME(3) NOT NULL,
  PRIMARY KEY (owner, name, statement)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`;

const isStatements = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/**
 * The migrations of `owners` (core first, then the enabled products) found under `folder`, in the order of their names.
 * @throws Error when a file exports no `up` list of SQL texts
 */
export async function findMigrations(folder: string, owners: readonly string[]): Promise<Migration[]> {
  const found: Migration[] = [];
  for (const owner of owners) {
    const names = await readdir(join(folder, owner)).catch(() => []);
    for (const name of names.filter((each) => /\.(ts|js)$/.test(each) && !each.endsWith('.d.ts')).sort()) {
      const loaded: unknown = await import(pathToFileURL(join(folder, owner, name)).href);
      const statements: unknown = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'up') : undefined;
      if (!isStatements(statements)) throw new Error(`migrations/${owner}/${name} exports no "up": readonly string[].`);
      found.push({ owner, name: name.replace(/\.(ts|js)$/, ''), statements });
    }
  }
  return found;
}

/**
 * Runs `work` while no other starting node does: one of them migrates and opens the first account, the others wait and find it done.
 * @throws Error when the lock is not free within 120 s
 */
export async function withStartLock<T>(database: ConnectedDatabase, work: () => Promise<T>): Promise<T> {
  const { session, release } = await database.acquire();
  try {
    const [name] = await session.rows<{ name: string }>(
      "SELECT CONCAT('svc:start:', LEFT(SHA2(DATABASE(), 256), 32)) AS name",
    );
    const lock = name?.name ?? 'svc:start';
    const [got] = await session.rows<{ got: number | null }>('SELECT GET_LOCK(?, ?) AS got', [lock, lockSeconds]);
    if (got?.got !== 1)
      throw new Error(`Another node has been starting for ${lockSeconds} s and holds the migration lock.`);
    try {
      return await work();
    } finally {
      await session.rows('SELECT RELEASE_LOCK(?)', [lock]);
    }
  } finally {
    await release();
  }
}

/** The database does not belong to these migrations: a newer version has changed it, or a backup was restored only in part. */
export class UnexpectedSchema extends Error {
  override name = 'UnexpectedSchema';
}

interface Recorded {
  owner: string;
  name: string;
  statement: number;
}

/** Checks that every recorded statement of the migrations' owners is known here. Those of products that are not enabled are not looked at. */
function requireKnown(recorded: readonly Recorded[], migrations: readonly Migration[]): void {
  const owners = new Set(migrations.map(({ owner }) => owner));
  const lengths = new Map(migrations.map(({ owner, name, statements }) => [`${owner}/${name}`, statements.length]));
  const unknown = recorded.find(
    ({ owner, name, statement }) => owners.has(owner) && statement >= (lengths.get(`${owner}/${name}`) ?? 0),
  );
  if (unknown)
    throw new UnexpectedSchema(
      `A newer version of svc has changed this database: it has the migration ${unknown.owner}/${unknown.name}, which this version does not know.\n  Start the newer version, or restore the backup that was taken before the upgrade (docs/operating.md, Upgrades).`,
    );
}

/**
 * Checks that no tables are there without a record of them, as after a dump that was restored only in part. One table may be: that of the first
 * statement, after a crash.
 */
async function requireNoOrphans(database: Session, migrations: readonly Migration[]): Promise<void> {
  const created = new Set(
    migrations.flatMap(({ statements }) =>
      statements.flatMap((sql) => /^\s*CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)/i.exec(sql)?.[1] ?? []),
    ),
  );
  const tables = await database.rows<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const orphans = tables.filter(({ name }) => created.has(name));
  if (orphans.length > 1)
    throw new UnexpectedSchema(
      `This database has ${orphans.length} tables of svc, but svc_migration does not record them: a backup was restored only in part.\n  Restore the whole backup into an empty database (docs/operating.md, Backups).`,
    );
}

/**
 * Runs the statements that are not recorded yet. DDL commits by itself, so each statement is recorded after it has run; a crash between
 * the two leaves one that ran and is not recorded, which the next start recognises by the server's error.
 * @returns how many statements ran
 * @throws UnexpectedSchema before any change where a newer version has migrated the database, or tables are there without a record
 */
export async function migrate(database: Session, migrations: readonly Migration[]): Promise<number> {
  await database.run(ledger);
  const rows = await database.rows<Recorded>('SELECT owner, name, statement FROM svc_migration');
  requireKnown(rows, migrations);
  if (rows.length === 0) await requireNoOrphans(database, migrations);
  const applied = new Set(rows.map((row) => `${row.owner}/${row.name}/${row.statement}`));
  let ran = 0;
  for (const { owner, name, statements } of migrations) {
    for (const [index, sql] of statements.entries()) {
      if (applied.has(`${owner}/${name}/${index}`)) continue;
      try {
        await database.run(sql);
      } catch (error) {
        // Only the first one can have run before a crash.
        if (ran > 0 || !isSchemaChangeDone(error, sql)) throw error;
      }
      await database.run('INSERT INTO svc_migration (owner, name, statement, applied_at) VALUES (?, ?, ?, NOW(3))', [
        owner,
        name,
        index,
      ]);
      ran += 1;
    }
  }
  return ran;
}
