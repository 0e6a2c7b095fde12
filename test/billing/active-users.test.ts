import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { signedIn, userOf } from '#test/auth/support.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { usageOf } from './metering-support.js';

const reason = 'Ticket 1815: the invoice page is empty.';

describe('Monthly active users', () => {
  needProducts('auth');
  const platform = usePlatform({ settings: usePrices([flat('auth.monthly_active_user', '0.5')]) });

  it('are metered once a month for each user, by sign-in and by refresh', async () => {
    const { svc, live, keys } = await platform.account();
    const { refreshToken } = await signedIn(platform, live);
    await signedIn(platform, live);
    await signedIn(platform, live, { email: 'grace@example.com' });
    expect(await usageOf(svc)).to.deep.equal(['auth.monthly_active_user 2 1.00']);
    platform.clock.advance(days(20));
    const key = keys.live.publishable;
    const { tokens } = await svc.call('auth.session.refresh', { refreshToken }, { key });
    platform.clock.advance(days(20));
    await svc.call('auth.session.refresh', { refreshToken: tokens.refreshToken }, { key });
    const months = await platform.running.services.database.rows<{ period: Buffer; found: number }>(
      'SELECT period, COUNT(*) AS found FROM billing_usage WHERE environment_id = ? GROUP BY period ORDER BY period',
      [Buffer.from(live.id.replaceAll('-', ''), 'hex')],
    );
    // Forty days lie in two months or in three.
    expect(months.length).to.be.within(2, 3);
    expect(months.map(({ found }) => found)).to.deep.equal([2, ...months.slice(1).map(() => 1)]);
  });

  it('are metered in the month in which a refresh whose reply was lost is repeated', async () => {
    const { svc, live, keys } = await platform.account();
    await svc.call('auth.settings.set', { refreshTokenSeconds: days(40) / 1000 });
    const { refreshToken, userId } = await signedIn(platform, live);
    const call = { key: keys.live.publishable, idempotencyKey: newId() };
    await svc.call('auth.session.refresh', { refreshToken }, call);
    const months = (): Promise<number> =>
      platform.count('billing_active_user', `user_id = x'${userId.replaceAll('-', '')}'`);
    expect(await months()).to.equal(1);
    platform.clock.advance(days(32));
    // The stored answer is for 30 seconds of the database's clock.
    await platform.running.services.database.run('DELETE FROM svc_idempotency');
    await svc.call('auth.session.refresh', { refreshToken }, call);
    expect(await months()).to.equal(2);
  });

  it('are not metered for users who are only imported, or impersonated', async () => {
    const { svc, live } = await platform.account();
    const userId = await userOf(platform, live);
    await svc.call('auth.user.impersonate', { userId, reason, seconds: 600 });
    expect(await usageOf(svc)).to.deep.equal([]);
  });

  it('are metered once by many sign-ins at the same time, on two nodes', async () => {
    const { svc, live } = await platform.account();
    const userId = await userOf(platform, live);
    const second = await platform.secondNode();
    const nodes = [platform, { ...platform, running: second.running }];
    await Promise.all(Array.from({ length: 20 }, (_, index) => signedIn(nodes[index % 2] ?? platform, live)));
    expect(await usageOf(svc)).to.deep.equal(['auth.monthly_active_user 1 0.50']);
    expect(await platform.count('billing_active_user', `user_id = x'${userId.replaceAll('-', '')}'`)).to.equal(1);
    await second.stop();
  });
});
