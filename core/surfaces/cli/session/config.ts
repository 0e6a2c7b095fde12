import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { at, isRecord, parseJson, withoutMark } from '#core/runtime/json.js';
import { replaceFile } from '#core/runtime/write-file.js';
import { withConfigLock } from './config-lock.js';
import { CliError } from '../errors.js';
import { tokensIn, type StoredTokens } from './tokens.js';

/** The keys of one environment: operations require one or the other. */
export interface ProfileKeys {
  /** A secret key. */
  readonly key?: string;
  readonly publishableKey?: string;
}

/** The person signed in to the dashboard (`svc login`), and the environment that the calls act in (`svc env use`). */
export interface ProfileSession extends StoredTokens {
  /** The dashboard's publishable key, which refreshes the tokens. */
  readonly dashboardKey: string;
  readonly environment?: ProfileEnvironment;
}

export interface ProfileEnvironment {
  readonly id: string;
  readonly kind: string;
  /** For people: `Acme / Shop`. */
  readonly name: string;
}

/**
 * A server, the keys that call it, and who is signed in: a member to the dashboard, a user to the environment of the
 * keys.
 */
export interface Profile extends ProfileKeys {
  readonly baseUrl: string;
  /** The products that the server had enabled at the login. */
  readonly products?: readonly string[];
  readonly user?: StoredTokens;
  readonly session?: ProfileSession;
}

export interface CliConfig {
  /** The profile used when --profile is not given. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The file that stores profiles and keys, readable only by its owner. */
export const configPath = (): string =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'svc', 'config.json');

/** Reads the profiles; none without a file. @throws CliError for a file that svc cannot read */
export async function readConfig(): Promise<CliConfig> {
  const text = await readFile(configPath(), 'utf8').catch(() => undefined);
  if (text === undefined) return { current: 'test', profiles: {} };
  const stored = parseJson(withoutMark(text));
  if (!isRecord(stored) || !isRecord(stored['profiles']))
    throw new CliError(
      `${configPath()} is not a valid svc configuration.`,
      'Correct or remove it, then run `svc login`.',
    );
  const profiles = Object.entries(stored['profiles']).flatMap(([name, profile]): [string, Profile][] => {
    if (!isRecord(profile) || typeof profile['baseUrl'] !== 'string') return [];
    const { baseUrl, key, publishableKey, user } = profile;
    const tokens = tokensIn(user);
    const session = sessionIn(profile['session']);
    const products = profile['products'];
    return [
      [
        name,
        {
          baseUrl,
          ...(Array.isArray(products) ? { products: products.filter((each) => typeof each === 'string') } : {}),
          ...(typeof key === 'string' ? { key } : {}),
          ...(typeof publishableKey === 'string' ? { publishableKey } : {}),
          ...(tokens ? { user: tokens } : {}),
          ...(session ? { session } : {}),
        },
      ],
    ];
  });
  return {
    current: typeof stored['current'] === 'string' ? stored['current'] : 'default',
    profiles: Object.fromEntries(profiles),
  };
}

function sessionIn(value: unknown): ProfileSession | undefined {
  const tokens = tokensIn(value);
  const dashboardKey = at(value, 'dashboardKey');
  if (!tokens || typeof dashboardKey !== 'string') return undefined;
  const [id, kind, name] = ['id', 'kind', 'name'].map((field) => at(value, 'environment', field));
  const environment =
    typeof id === 'string' && typeof kind === 'string' && typeof name === 'string' ? { id, kind, name } : undefined;
  return { ...tokens, dashboardKey, ...(environment ? { environment } : {}) };
}

/**
 * Changes the configuration, one process at a time.
 * @param change returns the new configuration from the current one; undefined to leave it unchanged
 */
export const updateConfig = (change: (config: CliConfig) => CliConfig | undefined): Promise<void> =>
  withConfigLock(configPath(), async () => {
    const changed = change(await readConfig());
    if (changed) await writeConfig(changed);
  });

/** The configuration with one profile changed; unchanged if there is no such profile. */
export function withProfile(config: CliConfig, name: string, change: (profile: Profile) => Profile): CliConfig {
  const profile = config.profiles[name];
  return profile ? { ...config, profiles: { ...config.profiles, [name]: change(profile) } } : config;
}

/**
 * Writes a new file and renames it under the lock (`updateConfig`), so that a crash leaves either version whole. Only
 * the owner can read it at any time.
 */
export async function writeConfig(config: CliConfig): Promise<void> {
  const path = configPath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // The mode is set again, because a file of that name may be left by a process that was killed.
  await replaceFile(path, `${JSON.stringify(config, null, 2)}\n`, (draft) => chmod(draft, 0o600));
}

/** Whether other users of this machine can read the keys. */
export async function configIsOpen(): Promise<boolean> {
  const found = await stat(configPath()).catch(() => undefined);
  return found !== undefined && process.platform !== 'win32' && (found.mode & 0o077) !== 0;
}
