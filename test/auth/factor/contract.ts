import { newId } from '#core/runtime/id.js';
import { signedIn } from '#test/auth/support.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { appOf, mfaTokenOf, publishableApi, userWithTotp, type Side, type WithFactor } from './support.js';

interface Place {
  platform: TestPlatform;
  account: TestAccount;
  side: Side;
}

const newUser = ({ platform, account, side }: Place): Promise<WithFactor> =>
  userWithTotp(platform, account, `${newId()}@example.com`, side);

async function waiting(place: Place): Promise<WithFactor & { mfaToken: string }> {
  const made = await newUser(place);
  const mfaToken = await mfaTokenOf(place.platform, place.account[place.side], made.user.userId);
  return { ...made, mfaToken };
}

/** What the contract tests pass to the operations of second factors. */
export const secondFactorThings: Readonly<Record<string, (place: Place) => Promise<Record<string, string>>>> = {
  async 'auth.factor.recovery.regenerate'(place) {
    return { accessToken: (await newUser(place)).user.accessToken };
  },
  async 'auth.factor.remove'(place) {
    const { user, factorId } = await newUser(place);
    return { accessToken: user.accessToken, factorId };
  },
  async 'auth.factor.totp.activate'({ platform, account, side }) {
    const { accessToken } = await signedIn(platform, account[side], { email: `${newId()}@example.com` });
    const api = publishableApi(platform, account, side);
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    return { accessToken, factorId, code: appOf(platform, secret).code() };
  },
  async 'auth.mfa.verify'(place) {
    const { mfaToken, app } = await waiting(place);
    return { mfaToken, code: app.code() };
  },
  async 'auth.mfa.recover'(place) {
    const { mfaToken, recoveryCodes } = await waiting(place);
    return { mfaToken, recoveryCode: recoveryCodes[0] ?? '' };
  },
};
