import { readFile } from 'node:fs/promises';
import { text as allOf } from 'node:stream/consumers';
import { at } from '#core/surfaces/json.js';
import { callOperation } from '../call.js';
import { painter } from '../colours.js';
import { configPath, readConfig, writeConfig, type ProfileKeys } from '../config.js';
import { ask } from '../confirm.js';
import { parseBaseUrl, kindOfKey, type KeyKind } from '../connection.js';
import { defaultBaseUrl } from '#core/surfaces/default-base-url.js';
import { CliError, ApiError } from '../errors.js';
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
  const baseUrl = parseBaseUrl(
    options.baseUrl ??
      found?.baseUrl ??
      (process.env['SVC_API_URL'] || undefined) ??
      config.profiles[name]?.baseUrl ??
      defaultBaseUrl,
  );
  const keys = found?.keys ?? (await givenKeys(options));
  const given = [keys.key, keys.publishableKey].filter((key) => key !== undefined);
  const descriptions = await Promise.all(given.map((key) => describeKey(baseUrl, key)));
  const { accessToken } = options;
  const profile = { baseUrl, ...keys, ...(accessToken === undefined ? {} : { user: { accessToken } }) };
  await writeConfig({ current: name, profiles: { ...config.profiles, [name]: profile } });
  const { green } = painter(process.stderr);
  process.stderr.write(
    `${green('Logged in')} to ${baseUrl} as ${descriptions.join(' with ')}; profile ${name} in ${configPath()}.\n`,
  );
}

const loginHelp =
  'Run `svc login --key <key>` with a key from developers.key.create, or `svc login --from var/first-run.json` on the server.';

/** Reads the keys from the options, standard input or the terminal. @throws CliError without a valid key */
async function givenKeys({ key, publishableKey }: LoginOptions): Promise<ProfileKeys> {
  const publishable = publishableKey === undefined ? {} : { publishableKey: parseKey(publishableKey, 'publishable') };
  if (key === undefined && publishableKey !== undefined) return publishable;
  if (key === undefined && !process.stdin.isTTY) throw new CliError('No key was given.', loginHelp);
  const text = parseKey(
    key === undefined ? await ask('Key (svc_live_… or svc_test_…): ') : key === '-' ? await allOf(process.stdin) : key,
  );
  return { ...publishable, ...(kindOfKey(text) === 'secret' ? { key: text } : { publishableKey: text }) };
}

function parseKey(text: string, kind?: KeyKind): string {
  const key = text.trim();
  if (!/^svc_(live|test)_\S+$/.test(key))
    throw new CliError('This is not a key: keys begin with svc_live_ or svc_test_.', loginHelp);
  if (kind !== undefined && kindOfKey(key) !== kind)
    throw new CliError(
      `This is not a ${kind} key.`,
      'Publishable keys begin with svc_live_pk or svc_test_pk; pass secret keys with --key.',
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
      `${path} contains no keys.`,
      'Pass the first-run.json of the server’s state folder (SVC_STATE_DIR, ./var by default).',
    );
  return {
    keys: { key, ...(typeof publishableKey === 'string' ? { publishableKey } : {}) },
    baseUrl: typeof baseUrl === 'string' ? baseUrl : undefined,
  };
}

/** Describes whose key it is, for people. @throws ApiError when the server does not accept it */
async function describeKey(baseUrl: string, key: string): Promise<string> {
  try {
    const { result } = await callOperation({ baseUrl, key }, 'developers.key.current', {});
    return `${String(at(result, 'key', 'name'))} of ${String(at(result, 'account', 'name'))}, ${String(at(result, 'environment', 'kind'))}`;
  } catch (error) {
    // The refusal itself shows that the key is valid: publishable keys may not call this operation.
    if (error instanceof ApiError && error.code === 'secret_key_required') return 'a publishable key';
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
      ? `Profile ${name} has no keys.\n`
      : `Removed the keys of profile ${name} from this machine; they stay valid on the server.\n`,
  );
}

const shortened = (key: string | undefined): string | null => (key === undefined ? null : `${key.slice(0, 13)}…`);

/** Lists the profiles, their keys shortened. @param use the profile to use from now on */
export async function profiles({ json }: OwnOptions, use: string | undefined): Promise<void> {
  const config = await readConfig();
  if (use !== undefined && !Object.hasOwn(config.profiles, use))
    throw new CliError(
      `There is no profile “${use}”.`,
      `Existing profiles: ${Object.keys(config.profiles).join(', ') || 'none; create one with `svc login`'}.`,
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
