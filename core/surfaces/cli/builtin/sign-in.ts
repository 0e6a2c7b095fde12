import { defaultBaseUrl } from '../../default-base-url.js';
import { callOperation, type CallTarget } from '../call.js';
import { painter } from '../terminal/colours.js';
import { configPath, readConfig, updateConfig, type Profile } from '../session/config.js';
import { parseBaseUrl } from '../session/connection.js';
import type { OwnOptions } from '../options.js';
import { oneLine } from '../terminal/sanitize.js';
import { chosenEnvironment, dashboardAt, environmentChoices, type EnvironmentChoice } from '../session/dashboard.js';
import { productsAt } from '../session/products.js';
import { confirmReplacing } from './replace-profiles.js';
import { deviceLogin } from '../session/device-login.js';

export interface SignInOptions extends OwnOptions {
  /** Words that name the environment to act in. */
  readonly environment: string | undefined;
  /** The shard whose dashboard to sign in to; the server's first one by default. */
  readonly shard: string | undefined;
  readonly browser: boolean;
}

/** The profile of a person who signed in, if no other is named. */
const defaultProfile = 'default';

/**
 * Signs a person in to the dashboard of a server and stores the session as a profile.
 * @returns false if people cannot sign in to the server, so that only keys remain
 */
export async function signIn(options: SignInOptions): Promise<boolean> {
  const config = await readConfig();
  const name = options.profile ?? defaultProfile;
  const before: Profile | undefined = config.profiles[options.profile ?? config.current];
  const baseUrl = parseBaseUrl(
    options.baseUrl ?? (process.env['SVC_API_URL'] || undefined) ?? before?.baseUrl ?? defaultBaseUrl,
  );
  const facts = await dashboardAt(baseUrl, options.shard);
  if (!facts) return false;
  await confirmReplacing(config, [name], baseUrl, options);
  const { tokens, user } = await deviceLogin(baseUrl, facts, { browser: options.browser && process.stderr.isTTY });
  const target = { baseUrl, key: undefined, accessTokenOf: async () => tokens.accessToken };
  const choices = await environmentChoices(target);
  const environment = firstEnvironment(choices, options.environment, config.profiles[name]);
  const session = {
    ...tokens,
    dashboardKey: facts.publishableKey,
    ...(environment ? { environment: { id: environment.id, kind: environment.kind, name: environment.name } } : {}),
  };
  const products = await productsAt(baseUrl);
  const profile = { baseUrl, ...(products ? { products } : {}), session };
  await updateConfig((present) => ({ current: name, profiles: { ...present.profiles, [name]: profile } }));
  const { green, dim } = painter(process.stderr);
  process.stderr.write(
    [
      `${green('Signed in')} to ${baseUrl} as ${oneLine(user)} (profile ${name}).`,
      environment
        ? `Calls act in ${oneLine(environment.name)}, ${environment.kind}.`
        : 'You are not a member of any account yet: ask an owner to invite you.',
      ...(choices.length > 1 ? [dim('`svc env list` shows where else you may act, `svc env use` switches.')] : []),
      dim(`The session is in ${configPath()}.`),
      '',
    ].join('\n'),
  );
  return true;
}

/** The named environment, otherwise the one used before, otherwise the first test environment. */
function firstEnvironment(
  choices: readonly EnvironmentChoice[],
  wanted: string | undefined,
  before: Profile | undefined,
): EnvironmentChoice | undefined {
  if (wanted !== undefined) return chosenEnvironment(choices, [wanted]);
  const known = choices.find(({ id }) => id === before?.session?.environment?.id);
  return known ?? choices.find(({ kind }) => kind === 'test') ?? choices[0];
}

/**
 * Ends the sessions of a profile on the server, as far as it can be reached; the profile's tokens are removed in any
 * case.
 */
export async function endSessions({ baseUrl, session, user, publishableKey }: Profile): Promise<void> {
  const end = async (key: string | undefined, refreshToken: string | undefined): Promise<void> => {
    if (key === undefined || refreshToken === undefined) return;
    const target: CallTarget = { baseUrl, key };
    await callOperation(target, 'auth.session.signout', { refreshToken }).catch(() => undefined);
  };
  await end(session?.dashboardKey, session?.refreshToken);
  await end(publishableKey, user?.refreshToken);
}
