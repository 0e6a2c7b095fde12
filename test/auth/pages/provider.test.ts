import { expect } from 'chai';
import { accountWith, useOidc } from '#test/auth/oauth/support.js';
import { visitProvider } from '#test/support/oidc-provider.js';
import type { TestAccount } from '#test/support/platform.js';
import { leadsTo, visitor, type Seen, type Visitor } from './visitor.js';

describe('The hosted pages with a provider', () => {
  const env = useOidc();

  beforeEach(() => {
    env.oidc.person = { sub: 'ada', claims: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' } };
  });

  const local = (address: string): string => {
    const { pathname, search } = new URL(address);
    return `${pathname}${search}`;
  };

  /** Presses the provider's button. @returns where the page leads on to */
  async function leave(browser: Visitor, page: string, action: string): Promise<string> {
    const left = await browser.submit(page, { do: action, provider: 'corp' });
    expect(left.status).to.equal(200);
    return leadsTo(left) ?? '';
  }

  /**
   * Presses the provider's button, passes the provider, and comes back to the hosted page.
   * @returns what that answers
   */
  async function throughProvider(browser: Visitor, page: string, action: string): Promise<Seen> {
    const back = await visitProvider(await leave(browser, page, action));
    const callback = await browser.get(`${back.pathname}${back.search}`);
    expect(callback.status).to.equal(303);
    return browser.get(local(callback.location ?? ''));
  }
  const signinOf = (account: TestAccount): string => `/auth/${account.test.id}/signin`;

  it('sign a person in and lead to their account', async () => {
    const account = await accountWith(env.platform, env.oidc);
    const browser = visitor(env.platform);
    expect((await browser.get(signinOf(account))).text).to.contain('Continue with Corp');
    const seen = await throughProvider(browser, signinOf(account), 'provider');
    expect(seen.location).to.equal(`/auth/${account.test.id}/account`);
    expect((await browser.get(seen.location ?? '')).text)
      .to.contain('ada@example.com')
      .and.contain('<bdi>Corp</bdi>')
      .and.contain('You haven’t set a password. You sign in without one.');
  });

  it('hand the sign-in over to the app that asked for it', async () => {
    const account = await accountWith(env.platform, env.oidc);
    const browser = visitor(env.platform);
    const redirectTo = 'https://app.example.com/back';
    await browser.get(`${signinOf(account)}?${new URLSearchParams({ redirectTo }).toString()}`);
    const seen = await throughProvider(browser, signinOf(account), 'provider');
    const back = new URL(seen.location ?? '');
    expect(back.origin + back.pathname).to.equal(redirectTo);
    const code = back.searchParams.get('svc_code') ?? '';
    const { user } = await account.svcTest.call(
      'auth.session.exchange',
      { code },
      { key: account.keys.test.publishable },
    );
    expect(user.email).to.equal('ada@example.com');
  });

  it('lead each tab to its own app, in whatever order people come back', async () => {
    const account = await accountWith(env.platform, env.oidc);
    const page = signinOf(account);
    const browser = visitor(env.platform);
    const addresses = ['https://app.example.com/one', 'https://app.example.com/two'].map(
      (redirectTo) => `${page}?${new URLSearchParams({ redirectTo }).toString()}`,
    );
    const backs = [];
    for (const address of addresses) {
      await browser.get(address);
      backs.push(await visitProvider(await leave(browser, address, 'provider')));
    }
    const ends = [];
    for (const { pathname, search } of backs.reverse()) {
      const callback = await browser.get(`${pathname}${search}`);
      ends.push((await browser.get(local(callback.location ?? ''))).location?.split('?')[0]);
    }
    expect(ends).to.deep.equal(['https://app.example.com/two', 'https://app.example.com/one']);
  });

  it('refuse another browser than the one that started', async () => {
    const account = await accountWith(env.platform, env.oidc);
    const browser = visitor(env.platform);
    await browser.get(signinOf(account));
    const back = await visitProvider(await leave(browser, signinOf(account), 'provider'));
    const callback = await browser.get(`${back.pathname}${back.search}`);
    const stolen = await visitor(env.platform).open(local(callback.location ?? ''));
    expect(stolen.status).to.equal(400);
  });

  it('say so when the person said no at the provider', async () => {
    const account = await accountWith(env.platform, env.oidc);
    const browser = visitor(env.platform);
    await browser.get(signinOf(account));
    await browser.post(signinOf(account), { do: 'provider', provider: 'corp' });
    const seen = await browser.open(`${signinOf(account)}?step=provider&state=x&error=access_denied`);
    expect(seen.status).to.equal(502);
    expect(seen.text).to.contain('The provider didn’t sign you in');
  });

  it('add the provider’s account to the person who is signed in', async () => {
    const account = await accountWith(env.platform, env.oidc);
    const browser = visitor(env.platform);
    await browser.get(signinOf(account));
    await throughProvider(browser, signinOf(account), 'provider');
    await account.svcTest.call('auth.oauth.app.set', {
      provider: 'other',
      name: 'Other',
      issuer: env.oidc.issuer,
      clientId: env.oidc.clientId,
      clientSecret: env.oidc.clientSecret,
    });
    const page = `/auth/${account.test.id}/account`;
    expect((await browser.get(page)).text).to.contain('Continue with Other');
    env.oidc.person = { sub: 'countess', claims: {} };
    const back = await visitProvider(await leave(browser, page, 'add-provider'));
    const callback = await browser.get(`${back.pathname}${back.search}`);
    const seen = await browser.open(local(callback.location ?? ''));
    expect(seen.path).to.equal(page);
    expect(seen.text).to.contain('Added.');
    const { identities } = await account.svcTest.call('auth.user.get', { email: 'ada@example.com' });
    expect(identities.filter(({ kind }) => kind === 'oauth')).to.have.length(2);
  });

  it('say on the account page that nothing was added, and sign in with the provider afterwards', async () => {
    const account = await accountWith(env.platform, env.oidc);
    const browser = visitor(env.platform);
    await browser.get(signinOf(account));
    await throughProvider(browser, signinOf(account), 'provider');
    const page = `/auth/${account.test.id}/account`;
    for (const end of ['error=access_denied', 'code=wrong']) {
      const started = new URL(await leave(browser, page, 'add-provider'));
      const back = `${page.replace('account', 'callback/corp')}?state=${started.searchParams.get('state')}&${end}`;
      const seen = await browser.open(local((await browser.get(back)).location ?? ''));
      expect([seen.path, seen.status]).to.deep.equal([page, 502]);
      expect(seen.text).to.contain('The provider didn’t sign you in').and.not.contain('Added.');
    }
    // Another person at the same browser, without signing out.
    env.oidc.person = { sub: 'grace', claims: { email: 'grace@example.com', email_verified: true } };
    await leave(browser, page, 'add-provider');
    await browser.get(`${signinOf(account)}?step=start`);
    const inside = await throughProvider(browser, `${signinOf(account)}?step=start`, 'provider');
    const shown = await browser.get(inside.location ?? '');
    expect(shown.text).to.contain('grace@example.com').and.not.contain('Added.');
    const { identities } = await account.svcTest.call('auth.user.get', { email: 'ada@example.com' });
    expect(identities.filter(({ kind }) => kind === 'oauth')).to.have.length(1);
  });
});
