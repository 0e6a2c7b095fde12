import { coreSettings } from '#core/kernel/settings.js';
import { databaseTls } from '#core/kernel/database-tls.js';
import type { SettingDeclarations } from '#config/declare.js';
import { readSettings, SettingsError, type Settings } from '#config/read.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { textOf } from '#core/kernel/registry/identity.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { driverFacts } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { missingTables } from '#core/runtime/database/missing-tables.js';
import { firstShard } from '#core/runtime/shard.js';
import { StartError, withDatabase } from './start-error.js';
import { trimEnd } from '#core/runtime/trim-end.js';

/*
 * A command that an operator runs beside the server must use the server's public address, sending domain and so on, or
 * its mail would have different links and senders. Each start stores those settings (`recorded` in their declarations),
 * and commands take them from there.
 */

type AllSettings = Settings<typeof coreSettings>;
/** By variable; null if it is not set. */
type Recorded = ReadonlyMap<string, string | null>;

/** @param baseUrl the address in use, which has its own default if SVC_BASE_URL is not set */
function recordedValues({ core, of }: AllSettings, plugins: readonly Plugin[], baseUrl: string | undefined): Recorded {
  const groups: [SettingDeclarations, Readonly<Record<string, unknown>>][] = [
    [coreSettings, { ...core, baseUrl: baseUrl === undefined ? undefined : trimEnd(baseUrl, '/') }],
    ...plugins.flatMap(({ settings }): [SettingDeclarations, Readonly<Record<string, unknown>>][] =>
      settings ? [[settings, of(settings)]] : [],
    ),
  ];
  return new Map(
    groups.flatMap(([declarations, values]) =>
      Object.entries(declarations)
        .filter(([, { recorded }]) => recorded === true)
        .map(([name, { variable }]): [string, string | null] => [variable, textOf(values[name])]),
    ),
  );
}

/**
 * Checks that the database is the shard of the settings. The first start records it, because the ids in the database
 * name it; a database that was first started by a version without shards is shard 1.
 * @throws StartError
 */
export async function requireOwnShard(db: Session, shard: number): Promise<void> {
  const missing = await missingTables(db, ['svc_setting', 'svc_environment']);
  const { variable } = coreSettings.shard;
  const [row] = missing.includes('svc_setting')
    ? []
    : await db.rows<{ value: string | null }>('SELECT value FROM svc_setting WHERE variable = ?', [variable]);
  const hasAccounts =
    !missing.includes('svc_environment') && (await db.rows('SELECT 1 FROM svc_environment LIMIT 1')).length > 0;
  const recorded = row?.value ?? (hasAccounts ? String(firstShard) : null);
  if (recorded === null || Number(recorded) === shard) return;
  throw new StartError(
    `The database is shard ${recorded}, and ${variable} is ${shard}: its ids and keys name shard ${recorded}, and would no longer be found.\n  Set ${variable} to ${recorded}, or SVC_DATABASE_URL to the database of shard ${shard}.`,
  );
}

/** Records the shard before the first id is stored. */
export const recordShard = (db: Session, shard: number): Promise<unknown> =>
  db.run('INSERT IGNORE INTO svc_setting (variable, value) VALUES (?, ?)', [
    coreSettings.shard.variable,
    String(shard),
  ]);

/** Stores the settings of this start. Of nodes with different ones the last start counts. */
export async function recordSettings(
  db: Session,
  settings: AllSettings,
  plugins: readonly Plugin[],
  baseUrl: string,
): Promise<void> {
  for (const [variable, value] of recordedValues(settings, plugins, baseUrl))
    await db.run('INSERT INTO svc_setting (variable, value) VALUES (?, ?) ON DUPLICATE KEY UPDATE value = ?', [
      variable,
      value,
      value,
    ]);
}

/**
 * The settings for a command beside the server: settings missing from the environment have the values of the server's
 * last start.
 * @param environment the SVC_* variables of the command
 * @returns the command's own settings, if no start has stored any in the database
 * @throws SettingsError naming each variable that the environment sets differently, or whose recorded value this
 *   version refuses, with how to correct it
 */
export async function joinSettings(
  own: AllSettings,
  plugins: readonly Plugin[],
  { databaseUrl, environment }: { databaseUrl: string; environment: Readonly<Record<string, string | undefined>> },
): Promise<AllSettings> {
  const recorded = await withDatabase(databaseUrl, () => readRecorded(databaseUrl, own));
  const given = recordedValues(own, plugins, own.core.baseUrl);
  const isGiven = (variable: string): boolean => (environment[variable] ?? '') !== '';
  const problems = [...recorded].flatMap(([variable, value]) =>
    !given.has(variable) || !isGiven(variable) || given.get(variable) === value
      ? []
      : [
          `${variable} is ${given.get(variable) ?? 'empty'} here, and ${value ?? 'not set'} at the last start of the server. Remove it for this command, which takes the server’s; or start the server with the new value first.`,
        ],
  );
  if (problems.length > 0) throw new SettingsError(problems);
  const taken = Object.fromEntries(
    [...recorded].flatMap(([variable, value]): [string, string][] =>
      given.has(variable) && value !== null ? [[variable, value]] : [],
    ),
  );
  const groups = plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []));
  try {
    return readSettings(coreSettings, groups, { ...environment, ...taken });
  } catch (error) {
    // The command's own settings were read before, so it is a recorded value that this version does not take.
    if (!(error instanceof SettingsError)) throw error;
    throw new SettingsError(error.problems.map((problem) => `${problem}\n  ${recordedFix}`));
  }
}

const recordedFix =
  'This is the value of the server’s last start, with an earlier version; the database keeps it for commands. Start the server once with a valid value, then run the command again.';

async function readRecorded(url: string, { core }: AllSettings): Promise<Recorded> {
  const database = await connectDatabase({ url, tls: databaseTls(core), poolSize: 1 });
  try {
    const rows = await database
      .rows<{ variable: Buffer; value: string | null }>('SELECT variable, value FROM svc_setting')
      .catch((error: unknown) => {
        // ER_NO_SUCH_TABLE: no start of this version yet.
        if (driverFacts(error).errno === 1146) return [];
        throw error;
      });
    return new Map(rows.map(({ variable, value }) => [variable.toString(), value]));
  } finally {
    await database.close();
  }
}
