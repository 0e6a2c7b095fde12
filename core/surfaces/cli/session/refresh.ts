import { at } from '#core/runtime/json.js';
import { callOperation } from '../call.js';
import { configPath, readConfig, withProfile, writeConfig, type Profile } from './config.js';
import { withConfigLock } from './config-lock.js';
import { ApiError, CliError, exit } from '../errors.js';
import { needsRefresh, newRefreshKey, receivedTokens, type StoredTokens } from './tokens.js';

/** Which tokens of a profile: the dashboard session's, or those of the signed-in end user. */
export type Whose = 'session' | 'user';

const signInAgain: Readonly<Record<Whose, string>> = {
  session: 'Sign in again with `svc login`.',
  user: 'Sign the user in again, such as with `svc auth signin start` and `svc auth signin verify`.',
};

const keyOf = ({ session, publishableKey }: Profile, whose: Whose): string | undefined =>
  whose === 'session' ? session?.dashboardKey : publishableKey;

/**
 * The access token of a profile, refreshed if it has expired or soon will. A refresh token can be used once, and a
 * second use ends the session, so one process refreshes while the others wait and then find the new tokens.
 * @throws CliError if nobody is signed in any more
 */
export async function accessTokenOf(profileName: string, whose: Whose): Promise<string> {
  const present = (await readConfig()).profiles[profileName]?.[whose];
  if (present && !needsRefresh(present)) return present.accessToken;
  return withConfigLock(configPath(), async () => {
    const config = await readConfig();
    const profile = config.profiles[profileName];
    const tokens = profile?.[whose];
    if (!profile || !tokens) throw signedOut('Nobody is signed in.', whose);
    // Another process has refreshed them in the meantime, or nobody can: then the server decides whether they are still
    // valid.
    if (!needsRefresh(tokens) || tokens.refreshToken === undefined) return tokens.accessToken;
    const keep = (kept: StoredTokens): Promise<void> =>
      writeConfig(withProfile(config, profileName, (each) => withTokens(each, whose, kept)));
    const { refreshToken, refreshKey = newRefreshKey() } = tokens;
    // The profile of an earlier version has no key. It is stored before the call, so that the next command finds it.
    if (tokens.refreshKey === undefined) await keep({ ...tokens, refreshKey });
    const fresh = await refreshed(profile, whose, { refreshToken, refreshKey });
    await keep(fresh);
    return fresh.accessToken;
  });
}

/** The profile with new tokens; a refresh token that they lack stays. */
export function withTokens(profile: Profile, whose: Whose, tokens: StoredTokens): Profile {
  if (whose === 'user')
    return { ...profile, user: { ...(profile.user ? withoutExpiry(profile.user) : {}), ...tokens } };
  return profile.session ? { ...profile, session: { ...withoutExpiry(profile.session), ...tokens } } : profile;
}

/** The end of the access token before is none of the next one. */
function withoutExpiry<T extends StoredTokens>(tokens: T): Omit<T, 'expiresAt'> {
  const { expiresAt: _, ...rest } = tokens;
  return rest;
}

async function refreshed(
  profile: Profile,
  whose: Whose,
  { refreshToken, refreshKey }: { refreshToken: string; refreshKey: string },
): Promise<StoredTokens> {
  try {
    const target = { baseUrl: profile.baseUrl, key: keyOf(profile, whose) };
    const options = { idempotencyKey: refreshKey };
    const { result } = await callOperation(target, 'auth.session.refresh', { refreshToken }, options);
    const tokens = receivedTokens(at(result, 'tokens'));
    if (tokens) return tokens;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
    throw signedOut(error.message, whose);
  }
  throw signedOut('The server answered no tokens.', whose);
}

const signedOut = (message: string, whose: Whose): CliError => new CliError(message, signInAgain[whose], exit.access);
