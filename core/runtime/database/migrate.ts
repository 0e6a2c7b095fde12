import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crashPoint } from '../fault.js';
import type { ConnectedDatabase } from './connect.js';
import { isSchemaChangeDone } from './errors.js';
import { undividedSuffix } from './partitions/divide.js';
import type { ReadSession } from './read-session.js';
import type { Session } from './session.js';

/** One file under migrations/<owner>/: its statements run once each, in order, and only forward. */
export interface Migration {
  owner: string;
  name: string;
  statements: readonly string[];
}

/** The lock ends with the session of its holder, so only a migration that runs makes others wait. */
const longestLockWaitMs = 60 * 60_000;
const progressEveryMs = 60_000;
/** One wait for the lock: shorter than the time limit that a server or a proxy may set for a statement. */
const lockWaitSeconds = 5;
/** How often the idle session of the lock is used, so that nothing ends it. Vitess would after 30 s. */
const lockUseMs = 5_000;

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

/** Another node holds the start lock. */
export class StartLockHeld extends Error {
  override name = 'StartLockHeld';
}

/** How to wait for the start lock and to hold it. */
interface StartLockOptions {
  /** How often the session that holds the lock is used, in milliseconds. */
  readonly useMs?: number;
  /** How long to wait for the lock, in milliseconds: an hour by default. */
  readonly longestWaitMs?: number;
  /** Told while another node holds the lock. */
  readonly progress?: ((line: string) => void) | undefined;
}

/** @throws StartLockHeld */
async function takeStartLock(
  session: Session,
  lock: string,
  { longestWaitMs = longestLockWaitMs, progress }: StartLockOptions,
): Promise<void> {
  const began = performance.now();
  let nextProgress = 0;
  for (let waited = 0; waited < longestWaitMs; waited = performance.now() - began) {
    if (waited > nextProgress) {
      progress?.('Another node is starting or migrates the database. Waiting for it.');
      nextProgress = waited + progressEveryMs;
    }
    // Read by position, because Vitess drops the alias of a lock function.
    const [answer] = await session.rows<Record<string, number | null>>('SELECT GET_LOCK(?, ?)', [
      lock,
      lockWaitSeconds,
    ]);
    if (Object.values(answer ?? {}).includes(1)) return;
  }
  throw new StartLockHeld(
    `Another node has been starting for ${Math.round(longestWaitMs / 1000)} s and holds the lock of the migration.\n  See in its log what it is doing. Stop it if it hangs, then start svc again.`,
  );
}

/**
 * Runs `work` while no other starting node runs it: one node migrates and opens the first account, and the others wait
 * and then find this done.
 * @throws StartLockHeld if another node holds the lock for an hour
 */
export async function withStartLock<T>(
  database: ConnectedDatabase,
  work: () => Promise<T>,
  options: StartLockOptions = {},
): Promise<T> {
  const { session, release } = await database.acquire();
  try {
    const [name] = await session.rows<{ name: string }>(
      "SELECT CONCAT('svc:start:', LEFT(SHA2(DATABASE(), 256), 32)) AS name",
    );
    const lock = name?.name ?? 'svc:start';
    await takeStartLock(session, lock, options);
    // If this fails, RELEASE_LOCK fails too, and its error is thrown.
    const use = setInterval(() => {
      session.rows('SELECT IS_USED_LOCK(?)', [lock]).catch(() => undefined);
    }, options.useMs ?? lockUseMs);
    try {
      return await work();
    } finally {
      clearInterval(use);
      await session.rows('SELECT RELEASE_LOCK(?)', [lock]);
    }
  } finally {
    await release();
  }
}

/**
 * The database does not belong to these migrations: a newer version has changed it, a table is missing, or a copy or a
 * restore is incomplete.
 */
export class UnexpectedSchema extends Error {
  override name = 'UnexpectedSchema';
}

/**
 * Exists in a database while `npm run move-database` copies into it, so that a repeat may delete the rows that a failed
 * copy left.
 */
export const copyMarker = 'svc_incomplete_copy';

interface Recorded {
  owner: string;
  name: string;
  statement: number;
}

/**
 * Checks that every recorded statement of the migrations' owners is known here. Statements of products that are not
 * enabled are not checked.
 */
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

/** The tables that exist after these statements have run. */
function tablesAfter(statements: readonly string[]): Set<string> {
  const tables = new Set<string>();
  for (const sql of statements) {
    const [, verb = '', name = '', renamed] =
      /^\s*(CREATE|DROP|RENAME) TABLE (?:IF (?:NOT )?EXISTS )?`?(\w+)`?(?: TO `?(\w+))?/i.exec(sql) ?? [];
    if (/create/i.test(verb)) tables.add(name);
    else if (verb !== '') tables.delete(name);
    if (renamed !== undefined) tables.add(renamed);
  }
  return tables;
}

/**
 * Checks that every table created by the recorded statements exists. A table that a later statement renames may already
 * be gone: that statement may have run before a crash without being recorded.
 */
function requireTables(
  tables: ReadonlySet<string>,
  { recorded, migrations }: { recorded: readonly Recorded[]; migrations: readonly Migration[] },
): void {
  const applied = appliedOf(recorded);
  const ran = migrations.flatMap(({ owner, name, statements }) =>
    statements.filter((_, index) => applied.has(`${owner}/${name}/${index}`)),
  );
  const inTheEnd = tablesAfter(migrations.flatMap(({ statements }) => statements));
  const missing = [...tablesAfter(ran)].filter((name) => !tables.has(name) && inTheEnd.has(name));
  if (missing.length === 0) return;
  throw new UnexpectedSchema(
    `${missing.map((name) => `The database has no table ${name}, which svc created there.`).join('\n')}\n  Restore the whole backup into an empty database (docs/operating.md, Backups).`,
  );
}

const appliedOf = (recorded: readonly Recorded[]): Set<string> =>
  new Set(recorded.map(({ owner, name, statement }) => `${owner}/${name}/${statement}`));

/**
 * Checks that no tables exist without a record, as after a dump that was only partly restored. One such table is
 * allowed: that of the first statement, after a crash.
 */
function requireNoOrphans(tables: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const orphans = [...tablesAfter(migrations.flatMap(({ statements }) => statements))].filter((name) =>
    tables.has(name),
  );
  if (orphans.length > 1)
    throw new UnexpectedSchema(
      `This database has ${orphans.length} tables of svc, but svc_migration does not record them: a backup was restored only in part.\n  Restore the whole backup into an empty database (docs/operating.md, Backups).`,
    );
}

/**
 * Checks that the migrations belong to this database, and writes nothing.
 * @throws UnexpectedSchema if a newer version has migrated it, a table is missing, tables exist without a record, or
 *   `npm run move-database` or `npm run partition` was interrupted there
 */
export async function requireMigratable(database: ReadSession, migrations: readonly Migration[]): Promise<void> {
  const found = await database.rows<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const tables = new Set(found.map(({ name }) => name));
  if (tables.has(copyMarker))
    throw new UnexpectedSchema(
      'The copy of a private server’s database into this one is incomplete.\n  Run "npm run move-database" again: it starts over (docs/operating.md, Backups).',
    );
  const undivided = [...tables].find((name) => name.endsWith(undividedSuffix));
  if (undivided !== undefined)
    throw new UnexpectedSchema(
      `npm run partition was interrupted: the database has the table ${undivided}.\n  Run "npm run partition" again: it continues (docs/scaling.md, Drop expired rows by partitions).`,
    );
  const recorded = tables.has('svc_migration')
    ? await database.rows<Recorded>('SELECT owner, name, statement FROM svc_migration')
    : [];
  requireKnown(recorded, migrations);
  if (recorded.length === 0) requireNoOrphans(tables, migrations);
  else requireTables(tables, { recorded, migrations });
}

/** How many statements `migrate` would run in a database that has been migrated before; 0 for a new one. */
export async function pendingStatements(database: ReadSession, migrations: readonly Migration[]): Promise<number> {
  const tables = await database.rows<object>(
    "SELECT 1 AS found FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'svc_migration'",
  );
  if (tables.length === 0) return 0;
  const applied = appliedOf(await database.rows<Recorded>('SELECT owner, name, statement FROM svc_migration'));
  return migrations.flatMap(({ owner, name, statements }) =>
    statements.filter((_, index) => !applied.has(`${owner}/${name}/${index}`)),
  ).length;
}

/**
 * Runs the statements that are not yet recorded. DDL commits by itself, so each statement is recorded after it has run.
 * A crash between the two leaves a statement that ran but is not recorded; the next start recognises it by the server's
 * error.
 * @returns how many statements ran
 */
export async function migrate(database: Session, migrations: readonly Migration[]): Promise<number> {
  await database.run(ledger);
  const applied = appliedOf(await database.rows<Recorded>('SELECT owner, name, statement FROM svc_migration'));
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
      crashPoint('migrate.record.before');
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
