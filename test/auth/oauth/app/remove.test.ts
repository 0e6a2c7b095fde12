import { expect } from 'chai';
import { auditOf } from '#test/account/support.js';
import { accountWith, appOf, browserOf, useOidc } from '../support.js';

describe('auth.oauth.app.remove', () => {
  const env = useOidc();

  it('removes a provider with its secret; users keep what they linked and find it again', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { svcTest, test, keys } = account;
    const browser = browserOf(platform, account);
    const before = await browser.signIn();
    const { result } = await svcTest.envelope('auth.oauth.app.remove', { provider: 'corp' });
    expect(result.app).to.include({ provider: 'corp', enabled: false });
    expect(await platform.count('auth_oauth_app', "provider = 'corp' AND client_secret IS NOT NULL")).to.equal(0);
    const last = (await platform.events(test)).at(-1);
    expect(last).to.deep.include({ type: 'auth.oauth.app.changed', data: { app: result.app, removed: true } });
    const refused = await svcTest.refusal(
      'auth.oauth.start',
      { provider: 'corp', redirectTo: 'https://app.example.com/' },
      { key: keys.test.publishable },
    );
    expect(refused).to.include({ code: 'provider_not_configured', status: 503 });
    expect(refused.message).to.equal('This environment has no sign-in with corp configured.');

    await svcTest.call('auth.oauth.app.set', appOf(oidc));
    oidc.person = { sub: 'ada', claims: {} };
    expect((await browser.signIn()).user?.id).to.equal(before.user?.id);
  });

  it('answers a repeat alike, without an event, and not_found for a provider that never was', async () => {
    const { platform, oidc } = env;
    const { svcTest, test } = await accountWith(platform, oidc);
    const first = await svcTest.call('auth.oauth.app.remove', { provider: 'corp' });
    const events = (await platform.events(test)).length;
    const { result, activityId } = await svcTest.envelope('auth.oauth.app.remove', { provider: 'corp' });
    expect(result).to.deep.equal(first);
    expect((await platform.events(test)).length).to.equal(events);
    expect((await auditOf(platform, activityId)).summary).to.match(/^Nothing changed/);
    for (const provider of ['google', 'No such provider'])
      expect((await svcTest.refusal('auth.oauth.app.remove', { provider })).code).to.equal('not_found');
  });

  it('keeps the last way to sign in', async () => {
    const { platform, oidc } = env;
    const { svcTest } = await accountWith(platform, oidc);
    const off = { enabled: false };
    await svcTest.call('auth.settings.set', {
      methods: { code: off, link: off, password: off, passkey: off, sms: off },
    });
    const refused = await svcTest.refusal('auth.oauth.app.remove', { provider: 'corp' });
    expect(refused).to.include({ code: 'no_usable_signin_method', status: 400 });
    expect((await svcTest.call('auth.oauth.app.list', {})).apps[0]).to.include({ provider: 'corp', enabled: true });
  });
});
