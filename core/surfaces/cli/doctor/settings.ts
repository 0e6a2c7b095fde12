import { access } from 'node:fs/promises';
import { coreSettings } from '#core/kernel/settings.js';
import { databaseTls } from '#core/kernel/database-tls.js';
import { readSettings, SettingsError } from '#config/read.js';
import { isDefaultOwner } from '#core/kernel/settings.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { requireStartable, type AllSettings } from '#core/kernel/registry/startable.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { ok, problem, type Finding } from './finding.js';

/** The server's settings, as this environment has them. */
export interface ServerSettings {
  readonly settings: AllSettings;
  readonly plugins: readonly Plugin[];
  /** Whether any is set. Otherwise the server may have been started with other settings. */
  readonly isAnySet: boolean;
}

export type CoreSettings = AllSettings['core'];

/** Variables of the command line, which the server does not read. */
const callers = ['SVC_API_KEY', 'SVC_API_URL', 'SVC_PUBLISHABLE_KEY'];

/** Whether the command runs on the server's machine, which has the server's settings or its state folder. */
export async function isServersMachine(): Promise<boolean> {
  const isSet = Object.keys(process.env).some((name) => name.startsWith('SVC_') && !callers.includes(name));
  return (
    isSet ||
    access('var/first-run.json').then(
      () => true,
      () => false,
    )
  );
}

/** Reads the server's settings from this environment; `server` is undefined if they would stop the start. */
export async function checkSettings(): Promise<{ findings: Finding[]; server?: ServerSettings }> {
  const plugins = await findPlugins();
  const groups = plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []));
  try {
    const settings = readSettings(coreSettings, groups, process.env);
    const { core } = settings;
    databaseTls(core);
    requireStartable(settings, plugins);
    const set = Object.keys(process.env).filter((name) => name.startsWith('SVC_') && !callers.includes(name));
    return {
      findings: [ok('settings', set.length === 0 ? 'All have their defaults.' : `${set.sort().join(', ')}: valid.`)],
      server: { settings, plugins, isAnySet: set.length > 0 },
    };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return {
      findings: error.problems.map((message) =>
        problem('settings', message, 'Correct the variable, then restart the server; the README lists all settings.'),
      ),
    };
  }
}

/** If mail is really sent: whether the first account's owner was given an address. */
export function checkOwner({ ownerEmail }: CoreSettings, smtpUrl: string | undefined): Finding[] {
  if (smtpUrl === undefined || smtpUrl === '') return [];
  return [
    isDefaultOwner(ownerEmail)
      ? problem(
          'owner',
          `SVC_OWNER_EMAIL is not set: mail to the first account’s owner goes to ${ownerEmail}, where nobody reads it, unless the owner is another member by now.`,
          'Set SVC_OWNER_EMAIL to the owner’s email address, and restart the server.',
        )
      : ok('owner', `SVC_OWNER_EMAIL is ${ownerEmail}.`),
  ];
}
