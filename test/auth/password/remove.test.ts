import { expect } from 'chai';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { asApp, storedHash, userWithPassword } from './support.js';

describe('auth.password.remove', () => {
  const platform = usePlatform();

  itNeeding('email')('removes the password of a user who can sign in by code, once', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    const userId = await userWithPassword(platform, account.live);
    const { accessToken } = await signedIn(platform, account.live);
    expect((await app.call('auth.password.remove', { accessToken })).user.id).to.equal(userId);
    expect(await storedHash(platform, userId)).to.equal(undefined);
    expect((await platform.events(account.live)).map(({ type }) => type)).to.include('auth.password.removed');
    expect(await app.refusal('auth.password.remove', { accessToken })).to.include({ code: 'password_not_set' });
  });

  it('keeps it where no other way to sign in is enabled', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    const userId = await userWithPassword(platform, account.live);
    const { accessToken } = await signedIn(platform, account.live);
    await account.svc.call('auth.settings.set', { methods: { code: { enabled: false }, link: { enabled: false } } });
    const { status, text } = await app.raw('/auth/password/remove', JSON.stringify({ accessToken }));
    expect(status).to.equal(400);
    expect(text).to.contain('no_usable_signin_method');
    expect(await storedHash(platform, userId)).to.be.a('string');
  });

  it('needs a recent sign-in', async () => {
    const account = await platform.account();
    await userWithPassword(platform, account.live);
    const { accessToken } = await signedIn(platform, account.live);
    platform.clock.advance(minutes(11));
    expect(await asApp(platform, account).refusal('auth.password.remove', { accessToken })).to.include({
      code: 'reauth_required',
    });
  });
});
