import { newId } from '#core/runtime/id.js';
import { publishableApi, type Side } from '#test/auth/factor/support.js';
import { signedIn } from '#test/auth/support.js';
import { softwareAuthenticator } from '#test/support/authenticator.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { answerOf, pagesOrigin, userWithPasskey } from './support.js';

interface Place {
  platform: TestPlatform;
  account: TestAccount;
  side: Side;
}

const someone = (): string => `${newId()}@example.com`;

async function registration({ platform, account, side }: Place) {
  const { accessToken } = await signedIn(platform, account[side], { email: someone() });
  const api = publishableApi(platform, account, side);
  const { challengeId, options } = await api.call('auth.passkey.register.start', { accessToken });
  return { accessToken, challengeId, response: softwareAuthenticator(pagesOrigin(platform)).create(options) };
}

/** What the contract tests pass to the operations of passkeys: ids that exist. */
export const passkeyThings: Readonly<Record<string, (place: Place) => Promise<Record<string, string>>>> = {
  async 'auth.passkey.register.verify'(place) {
    const { accessToken, challengeId } = await registration(place);
    return { accessToken, challengeId };
  },
  async 'auth.passkey.remove'({ platform, account, side }) {
    const { user, passkey } = await userWithPasskey(platform, account, someone(), side);
    return { accessToken: user.accessToken, passkeyId: passkey.id };
  },
  async 'auth.passkey.signin.verify'({ platform, account, side }) {
    const { challengeId } = await publishableApi(platform, account, side).call('auth.passkey.signin.start', {});
    return { challengeId };
  },
};

/** The same with an authenticator's answer, so that the call goes through. */
export const passkeyAnswers: Readonly<
  Record<string, (account: TestAccount, platform: TestPlatform) => Promise<object>>
> = {
  'auth.passkey.register.verify': (account, platform) => registration({ platform, account, side: 'live' }),
  async 'auth.passkey.signin.verify'(account, platform) {
    const { authenticator } = await userWithPasskey(platform, account, someone());
    return answerOf(publishableApi(platform, account), authenticator);
  },
};
