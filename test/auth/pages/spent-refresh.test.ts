import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { seconds } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { accountPage, inside } from './inside.js';
import { visitor, type Visitor } from './visitor.js';

describe('A spent refresh token on the hosted pages', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;

  /** A browser with nothing but a refresh token, as when its access token has expired. */
  function withRefreshToken(name: string, value: string): Visitor {
    const browser = visitor(platform);
    browser.keep(name, value);
    return browser;
  }

  async function refreshTokenOf(account: TestAccount, email: string): Promise<{ name: string; token: string }> {
    const person = await inside(test, account, email);
    const [name, token] = [...person.cookies].find(([each]) => each.includes('refresh')) ?? ['', ''];
    return { name, token };
  }

  const isIn = async (browser: Visitor, account: TestAccount): Promise<boolean> =>
    (await browser.get(accountPage(account))).status === 200;

  it('counts for tabs that refresh together, and ends the session after 30 seconds', async () => {
    const account = await platform.account();
    const { name, token } = await refreshTokenOf(account, 'spent1@example.com');
    const [owner, tab, thief] = [
      withRefreshToken(name, token),
      withRefreshToken(name, token),
      withRefreshToken(name, token),
    ];
    expect(await isIn(owner, account)).to.equal(true);
    platform.clock.advance(seconds(29));
    expect(await isIn(tab, account)).to.equal(true);
    expect(tab.cookies.get(name)).to.equal(owner.cookies.get(name));
    platform.clock.advance(seconds(1));
    expect(await isIn(thief, account)).to.equal(false);
    expect(await isIn(owner, account)).to.equal(false);
    const types = (await platform.events(account.live)).map(({ type }) => type);
    expect(types).to.include('auth.session.family_revoked');
  });

  it('counts no more once the token after it was used', async () => {
    const account = await platform.account();
    const { name, token } = await refreshTokenOf(account, 'spent2@example.com');
    const owner = withRefreshToken(name, token);
    await owner.get(accountPage(account));
    const later = withRefreshToken(name, owner.cookies.get(name) ?? '');
    expect(await isIn(later, account)).to.equal(true);
    expect(await isIn(withRefreshToken(name, token), account)).to.equal(false);
    expect(await isIn(later, account)).to.equal(false);
  });

  it('never counts at the API', async () => {
    const account = await platform.account();
    const { name, token } = await refreshTokenOf(account, 'spent3@example.com');
    await withRefreshToken(name, token).get(accountPage(account));
    const refused = await test.app(account).refusal('auth.session.refresh', { refreshToken: token });
    expect(refused.code).to.equal('refresh_reused');
  });
});
