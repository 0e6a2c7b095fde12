import { readFile } from 'node:fs/promises';
import { text as allOf } from 'node:stream/consumers';
import { at, parseJson, withoutMark } from '#core/runtime/json.js';
import { callOperation } from '../call.js';
import { painter } from '../terminal/colours.js';
import {
  configPath,
  readConfig,
  updateConfig,
  withProfile,
  type ProfileKeys,
  type ProfileSession,
} from '../session/config.js';
import { ask } from '../terminal/confirm.js';
import {
  environmentOfKey,
  kindOfKey,
  parseBaseUrl,
  type EnvironmentKind,
  namedProfile,
  type KeyKind,
} from '../session/connection.js';
import { defaultBaseUrl } from '../../default-base-url.js';
import { CliError, ApiError, unreadable } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { wantsJson } from '../output.js';
import { productsAt } from '../session/products.js';
import { withExpiry } from '../session/tokens.js';
import { table } from '../terminal/table.js';
import { confirmReplacing } from './replace-profiles.js';
import { endSessions, signIn } from './sign-in.js';

export interface LoginOptions extends OwnOptions {
  /** A key of either kind, or `-` for standard input. */
  readonly key: string | undefined;
  readonly publishableKey: string | undefined;
  readonly accessToken: string | undefined;
  readonly from: string | undefined;
  readonly live: boolean;
  /** Words that name the environment to act in, for a person who signs in. */
  readonly environment: string | undefined;
  /** The shard whose dashboard a person signs in to; the server's first one by default. */
  readonly shard: string | undefined;
  readonly refreshToken: string | undefined;
  readonly browser: boolean;
}

/**
 * Signs a person in, or, if keys are given, stores the address, keys and user as a profile per environment after the
 * server has accepted the keys. If people cannot sign in to the server, it prompts for a key.
 */
export async function login(options: LoginOptions): Promise<void> {
  const { key, publishableKey, from } = options;
  const hasKeys = [key, publishableKey, from].some((each) => each !== undefined);
  if (hasKeys || !(await signIn(options))) await storeKeys(options);
}

async function storeKeys(options: LoginOptions): Promise<void> {
  const config = await readConfig();
  const found = options.from === undefined ? undefined : await firstRun(options.from);
  const given = found?.environments ?? byEnvironment(await givenKeys(options));
  const first = given.find(({ environment }) => environment === (options.live ? 'live' : 'test')) ?? given[0];
  const current = profileName(options.profile, first?.environment ?? 'test');
  const baseUrl = parseBaseUrl(
    options.baseUrl ??
      (process.env['SVC_API_URL'] || undefined) ??
      found?.baseUrl ??
      config.profiles[current]?.baseUrl ??
      defaultBaseUrl,
  );
  const { accessToken, refreshToken } = options;
  const made = await Promise.all(
    given.map(async ({ environment, keys }) => {
      const name = profileName(options.profile, environment);
      const texts = [keys.key, keys.publishableKey].filter((key) => key !== undefined);
      const described = (await Promise.all(texts.map((key) => describeKey(baseUrl, key)))).join(' with ');
      const user =
        accessToken === undefined || name !== current
          ? {}
          : { user: { ...withExpiry(accessToken), ...(refreshToken === undefined ? {} : { refreshToken }) } };
      return { name, described, profile: { baseUrl, ...keys, ...user } };
    }),
  );
  await confirmReplacing(
    config,
    made.map(({ name }) => name),
    baseUrl,
    options,
  );
  const products = await productsAt(baseUrl);
  const profiles = Object.fromEntries(
    made.map(({ name, profile }) => [name, { ...profile, ...(products ? { products } : {}) }]),
  );
  await updateConfig((present) => ({ current, profiles: { ...present.profiles, ...profiles } }));
  const { green, dim } = painter(process.stderr);
  const width = Math.max(...made.map(({ name }) => name.length));
  const other = made.find(({ name }) => name !== current)?.name;
  process.stderr.write(
    [
      `${green('Logged in')} to ${baseUrl}.`,
      ...made.map(
        ({ name, described }) =>
          `  ${name.padEnd(width)}  ${described}${name === current ? ' (used from now on)' : ''}`,
      ),
      ...(other === undefined ? [] : [dim(`Switch with \`svc profiles --use ${other}\`, or pass --profile ${other}.`)]),
      dim(`The profiles are in ${configPath()}.`),
      '',
    ].join('\n'),
  );
}

interface EnvironmentKeys {
  readonly environment: EnvironmentKind;
  readonly keys: ProfileKeys;
}

/** Test and live are two profiles: `test` and `live`, or `shop-test` and `shop-live` with --profile shop. */
const profileName = (asked: string | undefined, environment: EnvironmentKind): string =>
  asked === undefined || asked === environment
    ? environment
    : asked.endsWith(`-${environment}`)
      ? asked
      : `${asked}-${environment}`;

/** The environment that the keys belong to. @throws CliError for keys of two environments */
function byEnvironment(keys: ProfileKeys): EnvironmentKeys[] {
  const kinds = [keys.key, keys.publishableKey].flatMap((key) => (key === undefined ? [] : [environmentOfKey(key)]));
  const [environment = 'test', other = environment] = kinds;
  if (other !== environment)
    throw new CliError(
      'One of the keys is of the live environment, the other of the test environment.',
      'Log in once per environment: each has its own profile.',
    );
  return [{ environment, keys }];
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

const firstRunHelp = 'Pass the first-run.json of the server’s state folder (SVC_STATE_DIR, ./var by default).';

/** @throws CliError for a file that cannot be read or holds no keys */
async function firstRun(
  path: string,
): Promise<{ baseUrl: string | undefined; environments: readonly EnvironmentKeys[] }> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CliError(unreadable(path, error), firstRunHelp);
  });
  const facts = parseJson(withoutMark(text));
  const environments = (['test', 'live'] as const).flatMap((environment): EnvironmentKeys[] => {
    const key = at(facts, 'keys', environment, 'secret');
    const publishableKey = at(facts, 'keys', environment, 'publishable');
    if (typeof key !== 'string') return [];
    return [{ environment, keys: { key, ...(typeof publishableKey === 'string' ? { publishableKey } : {}) } }];
  });
  if (environments.length === 0) throw new CliError(`${path} contains no keys.`, firstRunHelp);
  const baseUrl = at(facts, 'baseUrl');
  return { environments, baseUrl: typeof baseUrl === 'string' ? baseUrl : undefined };
}

/** Describes the owner of a key, for people. @throws ApiError if the server does not accept it */
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

/** Signs out and removes a profile's keys; its address stays. */
export async function logout({ profile }: OwnOptions): Promise<void> {
  const config = await readConfig();
  const name = profile === undefined ? config.current : namedProfile(profile, config.profiles);
  const found = config.profiles[name];
  if (found) await endSessions(found);
  await updateConfig((present) => withProfile(present, name, ({ baseUrl }) => ({ baseUrl })));
  const said = [
    ...((found?.session ?? found?.user) ? [`Signed out of profile ${name}.`] : []),
    ...((found?.key ?? found?.publishableKey)
      ? [`Removed the keys of profile ${name} from this machine; they stay valid on the server.`]
      : []),
  ];
  const usable = Object.entries(config.profiles).filter(
    ([each, { key, session }]) => each !== name && (key ?? session),
  );
  const next =
    name === config.current && usable.length > 0
      ? `\nIt stays the profile in use. To use another one: svc profiles --use ${usable.map(([each]) => each).join('|')}`
      : '';
  process.stderr.write(`${said.join('\n') || `Profile ${name} has no keys, and nobody is signed in.`}${next}\n`);
}

const environmentText = (session: ProfileSession | undefined, key: string | undefined): string | null => {
  if (session) return session.environment ? `${session.environment.name}, ${session.environment.kind}` : null;
  return key === undefined ? null : environmentOfKey(key);
};

const shortened = (key: string | undefined): string | null => (key === undefined ? null : `${key.slice(0, 13)}…`);

/** Lists the profiles, their keys shortened. @param use the profile to use in later calls */
export async function profiles({ json }: OwnOptions, use: string | undefined): Promise<void> {
  const config = await readConfig();
  const current = use === undefined ? config.current : namedProfile(use, config.profiles);
  if (use !== undefined) await updateConfig((present) => ({ ...present, current }));
  const rows = Object.entries(config.profiles).map(([profile, { baseUrl, key, publishableKey, user, session }]) => ({
    profile,
    current: profile === current,
    environment: environmentText(session, key ?? publishableKey),
    baseUrl,
    key: shortened(key),
    publishableKey: shortened(publishableKey),
    session: session !== undefined,
    user: user !== undefined,
  }));
  const shown = wantsJson(json)
    ? JSON.stringify(rows, null, 2)
    : rows.length === 0
      ? 'No profiles: run `svc login`.'
      : table(
          rows,
          ['profile', 'current', 'environment', 'baseUrl', 'key', 'publishableKey', 'session', 'user'],
          undefined,
        );
  process.stdout.write(`${shown}\n`);
}
