import { isBlockedPort } from '#config/blocked-ports.js';
import { defaultBaseUrl } from '../../default-base-url.js';
import type { CallTarget } from '../call.js';
import { readConfig, type CliConfig, type Profile, type ProfileKeys, type ProfileSession } from './config.js';
import { CliError, exit } from '../errors.js';
import { accessTokenOf } from './refresh.js';
import type { StoredTokens } from './tokens.js';

export type KeyKind = 'secret' | 'publishable';

/** The server that a command calls, and the credentials it has for it. */
export interface Connection {
  readonly baseUrl: string;
  readonly profile: string;
  readonly keys: ProfileKeys;
  /** The person signed in to the dashboard; undefined if a secret key is used instead. */
  readonly session: ProfileSession | undefined;
  /** The signed-in user's tokens, for operations that act as a user. */
  readonly user: StoredTokens | undefined;
  /** The source of the keys, for people: `SVC_API_KEY`, `profile shop`. */
  readonly keysFrom: string;
}

interface ConnectionOptions {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** `svc_live_pk…` and `svc_test_pk…` are publishable keys. */
export const kindOfKey = (key: string): KeyKind => (/^svc_(live|test)_pk/.test(key) ? 'publishable' : 'secret');

export type EnvironmentKind = 'live' | 'test';

/** The environment that a key names in its prefix. */
export const environmentOfKey = (key: string): EnvironmentKind => (key.startsWith('svc_live_') ? 'live' : 'test');

/**
 * Finds the profile that a person means: by its whole name, or `shop` for the only one of `shop-test` and `shop-live`.
 * @throws CliError if there is none, or both
 */
export function namedProfile(name: string, profiles: CliConfig['profiles']): string {
  const candidates = [name, `${name}-test`, `${name}-live`].filter((each) => Object.hasOwn(profiles, each));
  const [found, another] = candidates;
  if (found === undefined)
    throw new CliError(
      `There is no profile “${name}”.`,
      `Existing profiles: ${Object.keys(profiles).join(', ') || 'none'}. \`svc login --profile ${name} --base-url <url>\` creates one.`,
    );
  if (found !== name && another !== undefined)
    throw new CliError(
      `“${name}” is two profiles: ${found} and ${another}.`,
      `Pass --profile ${found} or --profile ${another}.`,
    );
  return found;
}

const variable = (name: string): string | undefined => process.env[name] || undefined;

/**
 * SVC_API_KEY may hold a key of either kind. Variables and profile are never mixed: they may mean different
 * environments.
 */
function keysOfVariables(): ProfileKeys | undefined {
  const given = variable('SVC_API_KEY');
  const publishable =
    variable('SVC_PUBLISHABLE_KEY') ?? (given && kindOfKey(given) === 'publishable' ? given : undefined);
  const secret = given && kindOfKey(given) === 'secret' ? given : undefined;
  if (secret === undefined && publishable === undefined) return undefined;
  return { ...(secret ? { key: secret } : {}), ...(publishable ? { publishableKey: publishable } : {}) };
}

/**
 * A script whose key is missing must not act with the permissions of a person's profile. @throws CliError if
 * SVC_API_KEY is set and empty
 */
function refuseEmptyKey(profile: string): void {
  if (process.env['SVC_API_KEY'] !== '') return;
  throw new CliError(
    'SVC_API_KEY is set and empty.',
    `Set it to a key. To use the profile ${profile}, unset it or pass --profile ${profile}.`,
    exit.access,
  );
}

const variableNames = ({ key }: ProfileKeys): string => (key ? 'SVC_API_KEY' : 'SVC_PUBLISHABLE_KEY');

/** The address of a server that was started with these variables. */
const ownAddress = (): string => {
  const port = variable('SVC_PORT');
  return port === undefined ? defaultBaseUrl : `http://127.0.0.1:${port}`;
};

/**
 * The keys come from the first of: `--profile`, SVC_API_KEY and SVC_PUBLISHABLE_KEY, the current profile. The address
 * comes from the first of: `--base-url`, `--profile`, SVC_API_URL, the current profile, this machine (at SVC_PORT if
 * that is set).
 * @throws CliError if the profile does not exist, SVC_API_KEY is empty although there is a profile, or the address is
 *   not an http address
 */
export async function connectionOf({ profile, baseUrl }: ConnectionOptions): Promise<Connection> {
  const { current, profiles } = await readConfig();
  const name = profile === undefined ? current : namedProfile(profile, profiles);
  const found: Profile | undefined = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const given = profile === undefined ? keysOfVariables() : undefined;
  if (profile === undefined && given === undefined && (found?.key ?? found?.session)) refuseEmptyKey(name);
  const addressVariable = profile === undefined ? variable('SVC_API_URL') : undefined;
  const { key, publishableKey } = given ?? found ?? {};
  return {
    baseUrl: parseBaseUrl(baseUrl ?? addressVariable ?? found?.baseUrl ?? ownAddress()),
    profile: name,
    keys: { ...(key ? { key } : {}), ...(publishableKey ? { publishableKey } : {}) },
    // People signed in with the profile, whose server and environment the variables need not name.
    session: given || key ? undefined : found?.session,
    user: given ? undefined : found?.user,
    keysFrom: given ? variableNames(given) : (key ?? publishableKey ?? found?.session) ? `profile ${name}` : 'nowhere',
  };
}

export const howToLogIn =
  'Run `svc login` to sign in, `svc login --key <key>`, or set SVC_API_KEY. The first account’s keys are in var/first-run.json on the server: `svc login --from var/first-run.json`.';

const howToGetPublishable =
  'Run `svc login --publishable-key <key>` together with --key, or set SVC_PUBLISHABLE_KEY; `svc developers key create --kind publishable --name …` creates one.';

/**
 * The key for an operation of this access; undefined for public operations, which need none.
 * @throws CliError when the connection has no key of that kind
 */
export function keyFor({ keys }: Pick<Connection, 'keys'>, access: string): string | undefined {
  if (access === 'public') return undefined;
  const kind: KeyKind = access === 'publishable' || access === 'user' ? 'publishable' : 'secret';
  const key = kind === 'publishable' ? keys.publishableKey : keys.key;
  if (key !== undefined) return key;
  if (kind === 'publishable') throw new CliError('No publishable key is configured.', howToGetPublishable, exit.access);
  throw new CliError('No secret key is configured.', howToLogIn, exit.access);
}

/**
 * The credentials that calls of operations with this access send: a key, or the dashboard session with its environment.
 * @throws CliError if the connection has neither
 */
export function targetFor(connection: Connection, access: string): Connection & CallTarget {
  const { session, profile } = connection;
  if (!session || !['secret', 'operator'].includes(access)) return { ...connection, key: keyFor(connection, access) };
  return {
    ...connection,
    key: undefined,
    accessTokenOf: () => accessTokenOf(profile, 'session'),
    environmentId: session.environment?.id,
  };
}

/**
 * A connection for operations that need a secret key or a dashboard session.
 * @throws CliError when there is neither
 */
export const secretConnectionOf = async (options: ConnectionOptions): Promise<Connection & CallTarget> =>
  targetFor(await connectionOf(options), 'secret');

/**
 * Removes trailing slashes. @throws CliError unless it is an http or https address with a port that fetch connects to
 */
export function parseBaseUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new CliError(`“${text}” is not a valid server address.`, `Use an address such as ${defaultBaseUrl}.`);
  const { port } = new URL(text);
  if (isBlockedPort(Number(port)))
    throw new CliError(
      `“${text}” is not the address of a server: Node.js and browsers refuse to connect to port ${port}.`,
      'Use an address with another port, and start the server with that port in SVC_PORT (https://fetch.spec.whatwg.org/#port-blocking lists the refused ones).',
    );
  return text.replace(/\/+$/, '');
}
