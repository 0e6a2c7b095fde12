import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRecord } from '#core/surfaces/record.js';
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
  /** The profile that is meant where none is named. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Where profiles and keys are kept: readable by their owner alone. */
export const configPath = (): string =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'svc', 'config.json');

/** @throws CliError when the file is there and is not what svc wrote */
export async function readConfig(): Promise<CliConfig> {
  const text = await readFile(configPath(), 'utf8').catch(() => undefined);
  if (text === undefined) return { current: 'default', profiles: {} };
  const kept = parsed(text);
  if (!isRecord(kept) || !isRecord(kept['profiles']))
    throw new CliError(`${configPath()} is not what svc wrote.`, 'Correct it or remove it, then run `svc login`.');
  const profiles = Object.entries(kept['profiles']).flatMap(([name, profile]): [string, Profile][] => {
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
    current: typeof kept['current'] === 'string' ? kept['current'] : 'default',
    profiles: Object.fromEntries(profiles),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Written aside and renamed: a crash leaves the old file or the new one, and nobody else ever reads the keys. */
export async function writeConfig(config: CliConfig): Promise<void> {
  const path = configPath();
  const aside = `${path}.${process.pid}.new`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(aside, 'w', 0o600);
  await file.writeFile(`${JSON.stringify(config, null, 2)}\n`);
  await file.sync();
  await file.close();
  await chmod(aside, 0o600);
  await rename(aside, path);
}

/** May others on this machine read the keys? */
export async function configIsOpen(): Promise<boolean> {
  const found = await stat(configPath()).catch(() => undefined);
  return found !== undefined && process.platform !== 'win32' && (found.mode & 0o077) !== 0;
}
