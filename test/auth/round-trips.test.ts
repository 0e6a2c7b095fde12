import { asApp, password, userWithPassword } from '#test/auth/password/support.js';
import { signedIn, startedCode, handoffOf } from '#test/auth/support.js';
import type { TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { useRoundTrips } from '#test/support/round-trips.js';

describe('Database round trips per sign-in and session', () => {
  const { svc, expectRoundTrips } = useRoundTrips();

  let account: TestAccount;
  beforeEach(async () => {
    account = await svc.account();
    const limit = { max: 100, windowSeconds: 60 };
    await account.svc.call('auth.settings.set', {
      rateLimits: { startPerIdentifier: limit, startPerIp: limit, completePerIp: limit },
    });
  });

  it('auth.session.verify: the key; session, user, signing key and rules together', async () => {
    const { accessToken } = await signedIn(svc, account.live);
    await expectRoundTrips(2, () => account.svc.call('auth.session.verify', { accessToken }));
  });

  it('auth.session.refresh', async () => {
    let { refreshToken } = await signedIn(svc, account.live);
    await expectRoundTrips(3, async () => {
      ({ refreshToken } = (await asApp(svc, account).call('auth.session.refresh', { refreshToken })).tokens);
    });
  });

  it('auth.session.exchange', async () => {
    const codes: string[] = [];
    for (let each = 0; each < 12; each += 1) codes.push(await handoffOf(svc, account.live));
    await expectRoundTrips(3, () => asApp(svc, account).call('auth.session.exchange', { code: codes.pop() ?? '' }));
  });

  it('auth.password.signin: the key, settings, limits, the password; then two for the transaction', async () => {
    await userWithPassword(svc, account.live);
    await expectRoundTrips(6, () =>
      asApp(svc, account).call('auth.password.signin', { email: 'ada@example.com', password }),
    );
  });

  it('auth.password.signin with a wrong password, or an unknown address', async () => {
    await userWithPassword(svc, account.live);
    for (const email of ['ada@example.com', 'nobody@example.com'])
      await expectRoundTrips(6, () =>
        asApp(svc, account).refusal('auth.password.signin', { email, password: 'wrong password' }),
      );
  });

  itNeeding('email')('auth.signin.start: two of them for the budget of sign-in mail and the caller’s share of it', () =>
    expectRoundTrips(8, () => asApp(svc, account).call('auth.signin.start', { email: 'ada@example.com' })),
  );

  it('auth.signin.verify: one of them for the wrong codes of the day', async () => {
    await signedIn(svc, account.live);
    const ids: string[] = [];
    for (let each = 0; each < 12; each += 1) ids.push(await startedCode(svc, account.live));
    await expectRoundTrips(7, () =>
      asApp(svc, account).call('auth.signin.verify', { challengeId: ids.pop() ?? '', code: '271828' }),
    );
  });

  it('auth.user.get', async () => {
    const { userId } = await signedIn(svc, account.live);
    await expectRoundTrips(2, () => account.svc.call('auth.user.get', { userId }));
  });

  it('auth.me.get', async () => {
    const { accessToken } = await signedIn(svc, account.live);
    await expectRoundTrips(3, () => asApp(svc, account).call('auth.me.get', { accessToken }));
  });
});
