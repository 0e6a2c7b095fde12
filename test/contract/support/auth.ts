import { password, userWithPassword } from '#test/auth/password/support.js';
import { handoffOf, signedIn } from '#test/auth/support.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

/** Fields that no example of auth can know, by operation. */
export const filledInForAuth: Readonly<
  Record<string, (account: TestAccount, platform: TestPlatform) => Promise<object>>
> = {
  'auth.password.remove': async ({ live }, platform) => {
    await userWithPassword(platform, live);
    return {};
  },
  'auth.password.set': async ({ live }, platform) => {
    await userWithPassword(platform, live);
    return { currentPassword: password };
  },
  'auth.password.signin': async ({ live }, platform) => {
    await userWithPassword(platform, live);
    return { password };
  },
  'auth.session.exchange': async ({ live }, platform) => ({ code: await handoffOf(platform, live) }),
  'auth.session.refresh': async ({ live }, platform) => ({
    refreshToken: (await signedIn(platform, live)).refreshToken,
  }),
  'auth.session.revoke': async ({ live }, platform) => ({ sessionId: (await signedIn(platform, live)).sessionId }),
  'auth.session.revokeMine': async ({ live }, platform) => {
    await signedIn(platform, live);
    return {};
  },
  'auth.session.signout': async ({ live }, platform) => ({
    refreshToken: (await signedIn(platform, live)).refreshToken,
  }),
};
