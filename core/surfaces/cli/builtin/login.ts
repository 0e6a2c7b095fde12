import { readFile } from 'node:fs/promises';
import { text as allOf } from 'node:stream/consumers';
import { at } from '#core/surfaces/record.js';
import { callOperation } from '../call.js';
import { painter } from '../colours.js';
import { configPath, readConfig, writeConfig, type ProfileKeys } from '../config.js';
import { ask } from '../confirm.js';
import { checkedBaseUrl, kindOfKey, type KeyKind } from '../connection.js';
import { defaultBaseUrl } from '#core/surfaces/default-base-url.js';
import { CliError, Refused } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { wantsJson } from '../output.js';
import { table } from '../table.js';

export interface LoginOptions extends OwnOptions {
  /** A key of either kind, or `-` for standard input. */
  readonly key: string | undefined;
  readonly publishableKey: string | undefined;
  readonly accessToken: string | undefined;
  readonly from: string | undefined;
  readonly live: boolean;
}

/** Stores address, keys and user as a profile, once the server has accepted the keys. */
export async function login(options: LoginOptions): Promise<void> {
  const config = await readConfig();
  const name = options.profile ?? 'default';
  const found = options.from === undefined ? undefined : await firstRun(options.from, options.live);
  const baseUrl = checkedBaseUrl(
    options.baseUrl ??
      found?.baseUrl ??
      (process.env['SVC_API_URL'] || undefined) ??
      config.profiles[name]?.baseUrl ??
      defaultBaseUrl,
  );
  const keys = found?.keys ?? (await givenKeys(options));
  const owners = await Promise.all([keys.key, keys.publishableKey].map((key) => key && owner(baseUrl, key)));
  const { accessToken } = options;
  const profile = { baseUrl, ...keys, ...(accessToken === undefined ? {} : { user: { accessToken } }) };
  await writeConfig({ current: name, profiles: { ...config.profiles, [name]: profile } });
  const { green } = painter(process.stderr);
  process.stderr.write(
    `${green('Logged in')} to ${baseUrl} as ${owners.filter(Boolean).join(' with ')}; profile ${name} in ${configPath()}.\n`,
  );
}

const howToGiveKey =
  'Run `svc login --key <key>` with a key of developers.key.create, or `svc login --from var/first-run.json` beside the server.';

/** @throws CliError for what is no key, and where none is given and nobody can be asked */
async function givenKeys({ key, publishableKey }: LoginOptions): Promise<ProfileKeys> {
  const publishable = publishableKey === undefined ? {} : { publishableKey: checkedKey(publishableKey, 'publishable') };
  if (key === undefined && publishableKey !== undefined) return publishable;
  if (key === undefined && !process.stdin.isTTY) throw new CliError('There is no key to log in with.', howToGiveKey);
  const text = checkedKey(
    key === undefined ? await ask('Key (svc_live_… or svc_test_…): ') : key === '-' ? await allOf(process.stdin) : key,
  );
  return { ...publishable, ...(kindOfKey(text) === 'secret' ? { key: text } : { publishableKey: text }) };
}

function checkedKey(text: string, kind?: KeyKind): string {
  const key = text.trim();
  if (!/^svc_(live|test)_\S+$/.test(key))
    throw new CliError('That is no key: keys begin with svc_live_ or svc_test_.', howToGiveKey);
  if (kind !== undefined && kindOfKey(key) !== kind)
    throw new CliError(
      `That is no ${kind} key.`,
      'Publishable keys begin with svc_live_pk or svc_test_pk; give others as --key.',
    );
  return key;
}

async function firstRun(path: string, live: boolean): Promise<{ baseUrl: string | undefined; keys: ProfileKeys }> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const facts = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  })();
  const keys = at(facts, 'keys', live ? 'live' : 'test');
  const [key, publishableKey, baseUrl] = [at(keys, 'secret'), at(keys, 'publishable'), at(facts, 'baseUrl')];
  if (typeof key !== 'string')
    throw new CliError(
      `${path} holds no keys.`,
      'Name the first-run.json in the server’s state folder (SVC_STATE_DIR, ./var by default).',
    );
  return {
    keys: { key, ...(typeof publishableKey === 'string' ? { publishableKey } : {}) },
    baseUrl: typeof baseUrl === 'string' ? baseUrl : undefined,
  };
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

/** Removes a profile's keys and user; its address stays. */
export async function logout({ profile }: OwnOptions): Promise<void> {
  const config = await readConfig();
  const name = profile ?? config.current;
  const found = config.profiles[name];
  if (found) await writeConfig({ ...config, profiles: { ...config.profiles, [name]: { baseUrl: found.baseUrl } } });
  process.stderr.write(
    (found?.key ?? found?.publishableKey) === undefined
      ? `Profile ${name} had no key.\n`
      : `The keys of profile ${name} are removed from this machine; they stay valid on the server.\n`,
  );
}

const shortened = (key: string | undefined): string | null => (key === undefined ? null : `${key.slice(0, 13)}…`);

/** Lists the profiles, their keys shortened. @param use the profile to use from now on */
export async function profiles({ json }: OwnOptions, use: string | undefined): Promise<void> {
  const config = await readConfig();
  if (use !== undefined && !Object.hasOwn(config.profiles, use))
    throw new CliError(
      `There is no profile “${use}”.`,
      `There are: ${Object.keys(config.profiles).join(', ') || 'none; make one with `svc login`'}.`,
    );
  const current = use ?? config.current;
  if (use !== undefined) await writeConfig({ ...config, current });
  const rows = Object.entries(config.profiles).map(([profile, { baseUrl, key, publishableKey, user }]) => ({
    profile,
    current: profile === current,
    baseUrl,
    key: shortened(key),
    publishableKey: shortened(publishableKey),
    user: user !== undefined,
  }));
  const shown = wantsJson(json)
    ? JSON.stringify(rows, null, 2)
    : rows.length === 0
      ? 'No profiles: run `svc login`.'
      : table(rows, ['profile', 'current', 'baseUrl', 'key', 'publishableKey', 'user'], undefined);
  process.stdout.write(`${shown}\n`);
}
