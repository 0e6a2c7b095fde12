import { readFile } from 'node:fs/promises';
import { text as allOf } from 'node:stream/consumers';
import { at } from '#core/surfaces/record.js';
import { callOperation } from '../call.js';
import { painter } from '../colours.js';
import { configPath, readConfig, writeConfig } from '../config.js';
import { ask } from '../confirm.js';
import { checkedBaseUrl } from '../connection.js';
import { defaultBaseUrl } from '#core/surfaces/default-base-url.js';
import { CliError, Refused } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { wantsJson } from '../output.js';
import { table } from '../table.js';

export interface LoginOptions extends OwnOptions {
  readonly key: string | undefined;
  readonly from: string | undefined;
  readonly live: boolean;
}

/** Keeps address and key as a profile, once the server has accepted them. */
export async function login(options: LoginOptions): Promise<void> {
  const config = await readConfig();
  const name = options.profile ?? 'default';
  const found = options.from === undefined ? undefined : await firstRun(options.from, options.live);
  const baseUrl = checkedBaseUrl(options.baseUrl ?? found?.baseUrl ?? config.profiles[name]?.baseUrl ?? defaultBaseUrl);
  const key = found?.key ?? (await givenKey(options.key));
  const whose = await owner(baseUrl, key);
  await writeConfig({ current: name, profiles: { ...config.profiles, [name]: { baseUrl, key } } });
  const { green } = painter(process.stderr);
  process.stderr.write(`${green('Logged in')} to ${baseUrl} as ${whose}; profile ${name} in ${configPath()}.\n`);
}

/** Once people sign in with auth's device flow, `svc login` alone will do; until then it takes a key. */
async function givenKey(key: string | undefined): Promise<string> {
  const fix =
    'Run `svc login --key <key>` with a key of developers.key.create, or `svc login --from var/first-run.json` beside the server.';
  if (key === undefined && !process.stdin.isTTY) throw new CliError('There is no key to log in with.', fix);
  const text =
    key === undefined ? await ask('Key (svc_live_… or svc_test_…): ') : key === '-' ? await allOf(process.stdin) : key;
  if (!/^svc_(live|test)_\S+$/.test(text.trim()))
    throw new CliError('That is no key: keys begin with svc_live_ or svc_test_.', fix);
  return text.trim();
}

async function firstRun(path: string, live: boolean): Promise<{ baseUrl: string | undefined; key: string }> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const facts = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  })();
  const key = at(facts, 'keys', live ? 'live' : 'test', 'secret');
  const baseUrl = at(facts, 'baseUrl');
  if (typeof key !== 'string')
    throw new CliError(
      `${path} holds no keys.`,
      'Name the first-run.json in the server’s state folder (SVC_STATE_DIR, ./var by default).',
    );
  return { key, baseUrl: typeof baseUrl === 'string' ? baseUrl : undefined };
}

/** @throws Refused when the server does not accept the key */
async function owner(baseUrl: string, key: string): Promise<string> {
  try {
    const { result } = await callOperation({ baseUrl, key }, 'developers.key.current', {});
    return `${String(at(result, 'key', 'name'))} of ${String(at(result, 'account', 'name'))}, ${String(at(result, 'environment', 'kind'))}`;
  } catch (error) {
    // A publishable key may not ask who it is, and is a key all the same.
    if (error instanceof Refused && error.code === 'secret_key_required') return 'a publishable key';
    throw error;
  }
}

/** Forgets a profile's key; its address stays. */
export async function logout({ profile }: OwnOptions): Promise<void> {
  const config = await readConfig();
  const name = profile ?? config.current;
  const kept = config.profiles[name];
  if (kept) await writeConfig({ ...config, profiles: { ...config.profiles, [name]: { baseUrl: kept.baseUrl } } });
  process.stderr.write(
    kept?.key === undefined
      ? `Profile ${name} had no key.\n`
      : `The key of profile ${name} is forgotten; it stays valid on the server.\n`,
  );
}

/** Lists the profiles, keys cut to what tells them apart. @param use the one to use from now on */
export async function profiles({ json }: OwnOptions, use: string | undefined): Promise<void> {
  const config = await readConfig();
  if (use !== undefined && !Object.hasOwn(config.profiles, use))
    throw new CliError(
      `There is no profile “${use}”.`,
      `There are: ${Object.keys(config.profiles).join(', ') || 'none; make one with `svc login`'}.`,
    );
  const current = use ?? config.current;
  if (use !== undefined) await writeConfig({ ...config, current });
  const rows = Object.entries(config.profiles).map(([profile, { baseUrl, key }]) => ({
    profile,
    current: profile === current,
    baseUrl,
    key: key === undefined ? null : `${key.slice(0, 13)}…`,
  }));
  const shown = wantsJson(json)
    ? JSON.stringify(rows, null, 2)
    : rows.length === 0
      ? 'No profiles: run `svc login`.'
      : table(rows, ['profile', 'current', 'baseUrl', 'key'], undefined);
  process.stdout.write(`${shown}\n`);
}
