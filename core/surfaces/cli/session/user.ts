import type { Answer } from '../call.js';
import type { CliOperation } from '../command-catalogue.js';
import { painter } from '../terminal/colours.js';
import { updateConfig, withProfile } from './config.js';
import type { Connection } from './connection.js';
import { CliError } from '../errors.js';
import { oneLine } from '../terminal/sanitize.js';
import { accessTokenOf, refreshUser, withTokens } from './refresh.js';
import { receivedTokens, userName, withExpiry } from './tokens.js';

/* The end user who is signed in to the environment of the profile's keys. */

/**
 * Fields that the command need not give: the signed-in user's access token, or their refresh token if the operation
 * takes that.
 */
export async function userFields(
  { access, input }: CliOperation,
  { user, profile }: Pick<Connection, 'user' | 'profile'>,
): Promise<Record<string, unknown>> {
  if (!user) return {};
  if (access === 'user' && 'accessToken' in input) return { accessToken: await accessTokenOf(profile, 'user') };
  if (access === 'publishable' && input['refreshToken']?.required && user.refreshToken !== undefined)
    return { refreshToken: user.refreshToken };
  return {};
}

/** How a command calls its operation. */
type OwnCall = (
  input: Record<string, unknown>,
  options: { readonly idempotencyKey?: string | undefined },
) => Promise<Answer>;

/**
 * Makes a call and keeps the tokens of its reply. If it refreshes the tokens of the profile's user, it has the key that
 * is stored with them: another one would end the session after a lost reply.
 * @param idempotencyKey the key that the command gives
 * @throws CliError if it gives a key for that refresh; the errors of `call`
 */
export async function callAsUser(
  operation: CliOperation,
  input: Record<string, unknown>,
  { user, profile, keysFrom }: Pick<Connection, 'user' | 'profile' | 'keysFrom'>,
  idempotencyKey: string | undefined,
  call: OwnCall,
): Promise<Answer> {
  const given = operation.name === 'auth.session.refresh' ? input['refreshToken'] : undefined;
  if (given === undefined || given !== user?.refreshToken) {
    const answer = await call(input, { idempotencyKey });
    await keepUser(operation, answer, input, { profile, keysFrom });
    return answer;
  }
  if (idempotencyKey !== undefined)
    throw new CliError(
      `The profile ${profile} has an Idempotency-Key for this refresh.`,
      'Leave out --idempotency-key. If the reply is lost, the same command repeats the call.',
    );
  return refreshUser(profile, (refreshToken, refreshKey) =>
    call({ ...input, refreshToken }, { idempotencyKey: refreshKey }),
  );
}

/**
 * Keeps the tokens of a reply in the profile that its key comes from: a person who signs in is the user of the next
 * calls, until that person signs out.
 */
async function keepUser(
  { name, access }: CliOperation,
  { result }: Answer,
  input: Readonly<Record<string, unknown>>,
  { profile, keysFrom }: Pick<Connection, 'profile' | 'keysFrom'>,
): Promise<void> {
  if (keysFrom !== `profile ${profile}`) return;
  const tokens = access === 'publishable' ? receivedTokens(result['tokens']) : undefined;
  const accessToken = access === 'user' ? result['accessToken'] : undefined;
  if (tokens) {
    await updateConfig((config) =>
      withProfile(config, profile, (each) => withTokens({ ...each, user: tokens }, 'user', tokens)),
    );
    const { dim } = painter(process.stderr);
    process.stderr.write(
      `${dim(`Profile ${profile} acts as ${oneLine(userName(result['user']))} in operations of users from now on.`)}\n`,
    );
  } else if (typeof accessToken === 'string')
    // The session continues with another token, such as after auth.org.switch.
    await updateConfig((config) =>
      withProfile(config, profile, (each) => withTokens(each, 'user', withExpiry(accessToken))),
    );
  else if (name === 'auth.session.signout')
    await updateConfig((config) =>
      withProfile(config, profile, ({ user, ...each }) =>
        user && user.refreshToken !== input['refreshToken'] ? { ...each, user } : each,
      ),
    );
}
