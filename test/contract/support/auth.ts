import { password, userWithPassword } from '#test/auth/password/support.js';
import { handoffOf, signedIn } from '#test/auth/support.js';
import { invitationOfAda, organizationIdAt } from './organizations.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

const startedDevice = ({ svc, keys }: TestAccount) =>
  svc.call('auth.device.start', { clientName: 'TV' }, { key: keys.live.publishable });

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
  'auth.device.approve': async (account) => ({ userCode: (await startedDevice(account)).userCode }),
  'auth.device.deny': async (account) => ({ userCode: (await startedDevice(account)).userCode }),
  'auth.device.poll': async (account, platform) => {
    const { deviceCode, userCode } = await startedDevice(account);
    const { accessToken } = await signedIn(platform, account.live);
    const options = { key: account.keys.live.publishable };
    await account.svc.call('auth.device.approve', { accessToken, userCode }, options);
    return { deviceCode };
  },
  'auth.me.delete': async ({ svc }) => {
    await svc.call('auth.settings.set', { selfDelete: { enabled: true } });
    return {};
  },
  'auth.org.invite.accept': async (account, platform) => ({
    token: await invitationOfAda({ platform, account, side: 'live' }),
  }),
  'auth.org.switch': async (account, platform) => ({
    organizationId: await organizationIdAt({ platform, account, side: 'live' }),
  }),
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
