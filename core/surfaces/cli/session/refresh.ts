import { at } from '#core/runtime/json.js';
import { hasEnded } from '../../sdk/user-session.js';
import { callOperation, type Answer } from '../call.js';
import { configPath, readConfig, withProfile, writeConfig, type CliConfig, type Profile } from './config.js';
import { withConfigLock } from './config-lock.js';
import { ApiError, CliError, exit } from '../errors.js';
import { needsRefresh, newRefreshKey, receivedTokens, type StoredTokens } from './tokens.js';

/** Which tokens of a profile: the dashboard session's, or those of the signed-in end user. */
type Whose = 'session' | 'user';

const signInAgain: Readonly<Record<Whose, string>> = {
  session: 'Sign in again with `svc login`.',
  user: 'Sign the user in again, such as with `svc auth signin start` and `svc auth signin verify`.',
};

const keyOf = ({ session, publishableKey }: Profile, whose: Whose): string | undefined =>
  whose === 'session' ? session?.dashboardKey : publishableKey;

/**
 * The access token of a profile, refreshed if it has expired or soon will. A refresh token can be used once, and a
 * second use ends the session, so one process refreshes while the others wait and then find the new tokens.
 * @throws CliError if nobody is signed in any more; ApiError if the server refuses the refresh for another reason
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
    const { refreshToken } = tokens;
    const { kept } = await refreshed(
      config,
      profileName,
      whose,
      { ...tokens, refreshToken },
      automaticCall(profile, whose),
    );
    return kept.accessToken;
  });
}

/**
 * Refreshes the tokens of the user of a profile now, as an automatic refresh does: no other process refreshes
 * meanwhile, and if the reply is lost, the next refresh repeats the call.
 * @throws CliError if nobody is signed in; the errors of `call`
 */
export const refreshUser = (profileName: string, call: RefreshCall): Promise<Answer> =>
  withConfigLock(configPath(), async () => {
    const config = await readConfig();
    const tokens = config.profiles[profileName]?.user;
    if (tokens?.refreshToken === undefined) throw signedOut('Nobody is signed in.', 'user');
    const { refreshToken } = tokens;
    return (await refreshed(config, profileName, 'user', { ...tokens, refreshToken }, call)).answer;
  });

/** Calls auth.session.refresh. */
type RefreshCall = (refreshToken: string, idempotencyKey: string) => Promise<Answer>;

/** Refreshes the tokens of a profile and keeps the new ones. To be called within the lock. */
async function refreshed(
  config: CliConfig,
  profileName: string,
  whose: Whose,
  tokens: StoredTokens & { readonly refreshToken: string },
  call: RefreshCall,
): Promise<{ readonly answer: Answer; readonly kept: StoredTokens }> {
  const keep = (kept: StoredTokens): Promise<void> =>
    writeConfig(withProfile(config, profileName, (each) => withTokens(each, whose, kept)));
  const { refreshToken, refreshKey = newRefreshKey() } = tokens;
  // The profile of an earlier version has no key. It is stored before the call, so that the next command finds it.
  if (tokens.refreshKey === undefined) await keep({ ...tokens, refreshKey });
  const answer = await call(refreshToken, refreshKey);
  const kept = receivedTokens(at(answer.result, 'tokens'));
  if (!kept) throw signedOut('The server answered no tokens.', whose);
  await keep(kept);
  return { answer, kept };
}

/** The call of an automatic refresh: if the session has ended, its error says how to sign in again. */
const automaticCall =
  (profile: Profile, whose: Whose): RefreshCall =>
  async (refreshToken, idempotencyKey) => {
    const target = { baseUrl: profile.baseUrl, key: keyOf(profile, whose) };
    try {
      return await callOperation(target, 'auth.session.refresh', { refreshToken }, { idempotencyKey });
    } catch (error) {
      if (error instanceof ApiError && hasEnded(error)) throw signedOut(error.message, whose);
      throw error;
    }
  };

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

const signedOut = (message: string, whose: Whose): CliError => new CliError(message, signInAgain[whose], exit.access);
