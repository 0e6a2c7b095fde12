import { readConfig } from './config.js';
import { defaultBaseUrl } from '#core/surfaces/default-base-url.js';
import { CliError, exit } from './errors.js';

/** Which server a command calls, and as whom. */
export interface Connection {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly profile: string;
  /** Where the key comes from, in words. */
  readonly keyFrom: string;
}

export interface ConnectionOptions {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/**
 * A profile that is named wins over SVC_API_KEY, which wins over the current profile; `--base-url` wins over both.
 * @throws CliError when the profile does not exist or the address is none
 */
export async function connectionOf({ profile, baseUrl }: ConnectionOptions): Promise<Connection> {
  const { current, profiles } = await readConfig();
  const name = profile ?? current;
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined && !found)
    throw new CliError(
      `There is no profile “${profile}”.`,
      `Make it with \`svc login --profile ${profile} --base-url <url>\`; there are: ${Object.keys(profiles).join(', ') || 'none'}.`,
    );
  const given = process.env['SVC_API_KEY'];
  const fromVariable = profile === undefined && given !== undefined && given !== '';
  return {
    baseUrl: checkedBaseUrl(baseUrl ?? found?.baseUrl ?? defaultBaseUrl),
    key: fromVariable ? given : found?.key,
    profile: name,
    keyFrom: fromVariable ? 'SVC_API_KEY' : found?.key === undefined ? 'nowhere' : `profile ${name}`,
  };
}

export interface KeyedConnection extends Connection {
  readonly key: string;
}

export const howToLogIn =
  'Run `svc login --key <key>` or set SVC_API_KEY. The first account’s keys are in var/first-run.json on the server: `svc login --from var/first-run.json`.';

/**
 * A connection that has a key to call with.
 * @throws CliError when it has none
 */
export async function keyedConnectionOf(options: ConnectionOptions): Promise<KeyedConnection> {
  const connection = await connectionOf(options);
  const { key } = connection;
  if (key === undefined) throw new CliError('There is no key to call with.', howToLogIn, exit.access);
  return { ...connection, key };
}

/** @throws CliError for what is no http address */
export function checkedBaseUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new CliError(`“${text}” is no address of a server.`, `Give one such as ${defaultBaseUrl}.`);
  return text.replace(/\/+$/, '');
}
