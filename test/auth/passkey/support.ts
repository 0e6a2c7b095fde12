import { signedIn, type SignedIn } from '#test/auth/support.js';
import { publishableApi, type Side } from '#test/auth/factor/support.js';
import type { Api, ReplyOf } from '#test/support/api.js';
import { softwareAuthenticator, type Forgery } from '#test/support/authenticator.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

export type Authenticator = ReturnType<typeof softwareAuthenticator>;

/** The origin of svc's own pages. */
export const pagesOrigin = ({ running }: TestPlatform): string => new URL(running.services.deployment.baseUrl).origin;

export interface WithPasskey {
  user: SignedIn;
  authenticator: Authenticator;
  passkey: ReplyOf<'auth.passkey.register.verify'>['passkey'];
}

/** Registers a passkey of an authenticator for a signed-in user. */
export async function registerPasskey(api: Api, authenticator: Authenticator, accessToken: string, name?: string) {
  const { challengeId, options } = await api.call('auth.passkey.register.start', { accessToken });
  const response = authenticator.create(options);
  const named = name === undefined ? {} : { name };
  return (await api.call('auth.passkey.register.verify', { accessToken, challengeId, response, ...named })).passkey;
}

/** A signed-in user with a passkey. */
export async function userWithPasskey(
  platform: TestPlatform,
  account: TestAccount,
  email = 'ada@example.com',
  side: Side = 'live',
): Promise<WithPasskey> {
  const user = await signedIn(platform, account[side], { email });
  const authenticator = softwareAuthenticator(pagesOrigin(platform));
  const passkey = await registerPasskey(publishableApi(platform, account, side), authenticator, user.accessToken);
  return { user, authenticator, passkey };
}

/** What auth.passkey.signin.verify takes: an answer to new options. */
export async function answerOf(api: Api, authenticator: Authenticator, forgery: Forgery = {}) {
  const { challengeId, options } = await api.call('auth.passkey.signin.start', {});
  return { challengeId, response: authenticator.get(options, forgery) };
}
