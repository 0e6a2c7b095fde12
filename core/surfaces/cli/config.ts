import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRecord, parseJson } from '#core/surfaces/json.js';
import { CliError } from './errors.js';

/** The keys of one environment: operations ask for one or the other. */
export interface ProfileKeys {
  /** A secret key. */
  readonly key?: string;
  readonly publishableKey?: string;
}

/** A signed-in user. */
export interface ProfileUser {
  readonly accessToken: string;
}

/** A server, the keys that call it and the user who is signed in there. */
export interface Profile extends ProfileKeys {
  readonly baseUrl: string;
  readonly user?: ProfileUser;
}

export interface CliConfig {
  /** The profile used when --profile is not given. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The file that stores profiles and keys, readable only by its owner. */
export const configPath = (): string =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'svc', 'config.json');

/** Reads the profiles; none if there is no file. @throws CliError for a file that svc cannot read */
export async function readConfig(): Promise<CliConfig> {
  const text = await readFile(configPath(), 'utf8').catch(() => undefined);
  if (text === undefined) return { current: 'test', profiles: {} };
  const stored = parseJson(text);
  if (!isRecord(stored) || !isRecord(stored['profiles']))
    throw new CliError(
      `${configPath()} is not a valid svc configuration.`,
      'Correct or remove it, then run `svc login`.',
    );
  const profiles = Object.entries(stored['profiles']).flatMap(([name, profile]): [string, Profile][] => {
    if (!isRecord(profile) || typeof profile['baseUrl'] !== 'string') return [];
    const { baseUrl, key, publishableKey, user } = profile;
    const accessToken = isRecord(user) ? user['accessToken'] : undefined;
    return [
      [
        name,
        {
          baseUrl,
          ...(typeof key === 'string' ? { key } : {}),
          ...(typeof publishableKey === 'string' ? { publishableKey } : {}),
          ...(typeof accessToken === 'string' ? { user: { accessToken } } : {}),
        },
      ],
    ];
  });
  return {
    current: typeof stored['current'] === 'string' ? stored['current'] : 'default',
    profiles: Object.fromEntries(profiles),
  };
}

/** Writes a new file and renames it, so that a crash leaves either version whole. Only the owner can read it at any time. */
export async function writeConfig(config: CliConfig): Promise<void> {
  const path = configPath();
  const temporary = `${path}.${process.pid}.new`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(temporary, 'w', 0o600);
  await file.writeFile(`${JSON.stringify(config, null, 2)}\n`);
  await file.sync();
  await file.close();
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}

/** Whether other users of this machine can read the keys. */
export async function configIsOpen(): Promise<boolean> {
  const found = await stat(configPath()).catch(() => undefined);
  return found !== undefined && process.platform !== 'win32' && (found.mode & 0o077) !== 0;
}
