import { counted } from '#config/counted.js';
import { join } from 'node:path';
import type { coreSettings } from '#core/kernel/settings.js';
import { databaseTls } from '#core/kernel/database-tls.js';
import type { Settings } from '#config/read.js';
import { databaseAddress, placeOf } from '#core/runtime/database/address.js';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { copyRows } from '#core/runtime/database/copy-rows.js';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import type { DatabaseTarget } from '#core/runtime/database/driver-options.js';
import {
  copyMarker as marker,
  findMigrations,
  migrate,
  withStartLock,
  type Migration,
} from '#core/runtime/database/migrate.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Log } from '#core/runtime/log.js';
import { checkDatabase } from './check-database.js';
import { migrationsFolder } from './migrations-folder.js';
import { requireRootKey } from './open-vault.js';
import { isProduction } from '#core/kernel/registry/startable.js';
import { StartError, withDatabase } from './start-error.js';
import { hasPrivateServer, openState } from './state.js';

interface MoveOptions {
  /** SVC_DATABASE_URL is the target; the private server of SVC_STATE_DIR is the source. */
  settings: Settings<typeof coreSettings>;
  log: Log;
  progress: (line: string) => void;
}

/** Records which migrations ran. It is copied last: no version of svc starts on tables that are not recorded. */
const ledger = 'svc_migration';

/**
 * Copies the database of the private server to the empty one that SVC_DATABASE_URL names. svc's own migrations create
 * the tables there, because MariaDB and MySQL do not read each other's dumps. The private server's database is
 * unchanged. A failed copy starts over if it is repeated; until it is complete, svc refuses to start on it.
 * @returns a report of the copy, and how to start svc there
 * @throws SettingsError or StartError, whose messages state how to fix it: svc still runs, the target is not empty,
 *   either side cannot be used
 */
export async function moveDatabase({ settings, log, progress }: MoveOptions): Promise<string> {
  const { core } = settings;
  if (core.databaseUrl === undefined)
    throw new StartError(
      'Set SVC_DATABASE_URL to the empty database that svc is to move to, as svc will have it afterwards.',
    );
  const folder = join(core.stateDir, 'database');
  if (!(await hasPrivateServer(core.stateDir)))
    throw new StartError(`No private server exists in ${core.stateDir}. Set SVC_STATE_DIR to the server’s value.`);
  const target: DatabaseTarget = { url: core.databaseUrl, tls: databaseTls(core) };
  await withDatabase(target.url, () => ensureDatabase(target));
  const state = await openState({ ...settings, core: { ...core, databaseUrl: undefined } }, log, progress);
  try {
    const source = await connectDatabase({ url: state.databaseUrl, poolSize: 2 });
    try {
      const migrations = await migrationsOf(source);
      await requireRootKey(source, { current: state.secretKey, previous: undefined });
      const copied = await withDatabase(target.url, async () => {
        const database = await connectDatabase({ ...target, poolSize: 2 });
        try {
          await checkDatabase(database, { production: isProduction(core) }, log);
          return await withStartLock(database, () =>
            copyAll({ source, sourceUrl: state.databaseUrl, database, target, migrations, progress }),
          );
        } finally {
          await database.close();
        }
      });
      const address = databaseAddress(target.url);
      const key =
        core.secretKey === undefined
          ? `SVC_SECRET_KEY set to the content of ${join(core.stateDir, 'secret-key')}`
          : 'SVC_SECRET_KEY as they are now';
      return (
        `${copied} The database ${address.database} at ${placeOf(address)} is complete.\n` +
        `Start svc with SVC_DATABASE_URL and ${key}: no other key opens this database.\n` +
        `Do not start it on the private server in ${folder} again: it would send what waits there a second time.`
      );
    } finally {
      await source.close();
    }
  } finally {
    await state.stop();
  }
}

interface Copy {
  source: Session;
  sourceUrl: string;
  database: ConnectedDatabase;
  target: DatabaseTarget;
  migrations: readonly Migration[];
  progress: (line: string) => void;
}

/** @returns a sentence with the numbers of rows and tables */
async function copyAll({ source, sourceUrl, database, target, migrations, progress }: Copy): Promise<string> {
  const present = await tablesOf(source);
  await requireEmpty(database, present);
  await database.run(`CREATE TABLE ${marker} (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB`);
  await migrate(database, migrations);
  await database.run(`DELETE FROM ${ledger}`);
  const tables = (await tablesOf(database)).filter((table) => table !== marker && table !== ledger);
  const others = present.filter((table) => table !== ledger && !tables.includes(table));
  if (others.length > 0) progress(`Not copied, because svc has no such tables: ${others.join(', ')}.`);
  progress(`Copying ${counted(tables.length, 'table')} …`);
  try {
    const rows = await copyRows({ url: sourceUrl }, target, tables);
    await copyRows({ url: sourceUrl }, target, [ledger]);
    await database.run(`DROP TABLE ${marker}`);
    return `Copied ${counted(rows, 'row')} of ${counted(tables.length, 'table')}, and counted them again in the new database.`;
  } catch (error) {
    throw new StartError(
      `The copy is incomplete, and the private server is unchanged. ${error instanceof Error ? error.message : String(error)}\n` +
        '  Fix that and run this again: it starts over.',
      { cause: error },
    );
  }
}

/** Deletes the tables of a copy that failed. @throws StartError if the target has any other table */
async function requireEmpty(database: Session, ofSource: readonly string[]): Promise<void> {
  const found = await tablesOf(database);
  if (found.includes(marker)) {
    // The marker goes last, so that this can be repeated as well.
    const own = found.filter((table) => ofSource.includes(table));
    for (const table of [...own, marker]) await database.run(`DROP TABLE \`${table}\``);
  }
  const left = await tablesOf(database);
  if (left.length > 0)
    throw new StartError(
      `The database of SVC_DATABASE_URL is not empty: it contains ${left.slice(0, 3).join(', ')}. Name an empty one, or one that does not exist: it is created if the user has the right to.`,
    );
}

/** The migrations of a database's products. @throws StartError if other migrations ran there than this version has */
async function migrationsOf(source: Session): Promise<Migration[]> {
  const hasLedger = (await tablesOf(source)).includes(ledger);
  const recorded = hasLedger
    ? await source.rows<{ owner: string; name: string; statement: number }>(
        `SELECT owner, name, statement FROM ${ledger}`,
      )
    : [];
  const owners = [...new Set(['core', ...recorded.map(({ owner }) => owner)])];
  const migrations = await findMigrations(migrationsFolder, owners);
  const known = migrations.flatMap(({ owner, name, statements }) =>
    statements.map((_, index) => `${owner}/${name}/${index}`),
  );
  const there = new Set(recorded.map(({ owner, name, statement }) => `${owner}/${name}/${statement}`));
  if (there.size !== known.length || !known.every((each) => there.has(each)))
    throw new StartError(
      'The private server’s database is not of this version of svc: start svc on it once with this version, stop it, and run this again.',
    );
  return migrations;
}

async function tablesOf(database: Session): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  return rows.map(({ name }) => name);
}
