import { expect } from 'chai';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { derivedKeyPrefix } from '#plugins/auth/sessions/refresh-token.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { hours } from '#test/support/clock.js';
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

  /** The cookie of somebody who has signed in, and the refresh token in it. */
  async function refreshCookieOf(account: TestAccount, email: string) {
    const person = await inside(test, account, email);
    const [name, value] = [...person.cookies].find(([each]) => each.includes('refresh')) ?? ['', ''];
    return { name, value, token: tokenIn(value) };
  }

  const tokenIn = (value = ''): string => value.split('.')[0] ?? '';

  const isIn = async (browser: Visitor, account: TestAccount): Promise<boolean> =>
    (await browser.get(accountPage(account))).status === 200;

  it('counts for tabs that refresh together, and for a later visit if the answer was lost', async () => {
    const account = await platform.account();
    const { name, value } = await refreshCookieOf(account, 'spent1@example.com');
    const [lost, tab, later] = [
      withRefreshToken(name, value),
      withRefreshToken(name, value),
      withRefreshToken(name, value),
    ];
    expect(await Promise.all([isIn(lost, account), isIn(tab, account)])).to.deep.equal([true, true]);
    expect(tokenIn(tab.cookies.get(name))).to.equal(tokenIn(lost.cookies.get(name)));
    platform.clock.advance(hours(5));
    expect(await isIn(later, account)).to.equal(true);
    expect(tokenIn(later.cookies.get(name))).to.not.equal(tokenIn(lost.cookies.get(name)));
    later.forget(/access/);
    expect(await isIn(later, account)).to.equal(true);
  });

  it('counts no more once the token after it was used', async () => {
    const account = await platform.account();
    const { name, value } = await refreshCookieOf(account, 'spent2@example.com');
    const owner = withRefreshToken(name, value);
    await owner.get(accountPage(account));
    const later = withRefreshToken(name, owner.cookies.get(name) ?? '');
    expect(await isIn(later, account)).to.equal(true);
    expect(await isIn(withRefreshToken(name, value), account)).to.equal(false);
    expect(await isIn(later, account)).to.equal(false);
    const types = (await platform.events(account.live)).map(({ type }) => type);
    expect(types).to.include('auth.session.family_revoked');
  });

  it('counts only with the key in its cookie', async () => {
    const account = await platform.account();
    const { name, value, token } = await refreshCookieOf(account, 'spent3@example.com');
    const owner = withRefreshToken(name, value);
    expect(await isIn(owner, account)).to.equal(true);
    expect(await isIn(withRefreshToken(name, token), account)).to.equal(false);
    owner.forget(/access/);
    expect(await isIn(owner, account)).to.equal(false);
  });

  it('counts once for tabs whose cookie is from before it had a key', async () => {
    const account = await platform.account();
    const { name, token } = await refreshCookieOf(account, 'spent4@example.com');
    const [first, second] = [withRefreshToken(name, token), withRefreshToken(name, token)];
    expect(await Promise.all([isIn(first, account), isIn(second, account)])).to.deep.equal([true, true]);
    expect(first.cookies.get(name)).to.match(/\.[\w-]{32}$/);
    await withRefreshToken(name, first.cookies.get(name) ?? '').get(accountPage(account));
    expect(await isIn(withRefreshToken(name, tokenIn(first.cookies.get(name))), account)).to.equal(false);
  });

  it('counts at the API only with the key in its cookie', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const withoutKey = await refreshCookieOf(account, 'spent5@example.com');
    await isIn(withRefreshToken(withoutKey.name, withoutKey.value), account);
    const spent = { refreshToken: withoutKey.token };
    expect((await app.refusal('auth.session.refresh', spent)).code).to.equal('refresh_reused');

    const copied = await refreshCookieOf(account, 'spent6@example.com');
    await isIn(withRefreshToken(copied.name, copied.value), account);
    const [refreshToken = '', idempotencyKey = ''] = copied.value.split('.');
    await app.call('auth.session.refresh', { refreshToken }, { idempotencyKey });
  });

  it('counts at the API never with the key that the pages derive from a token without one', async () => {
    const account = await platform.account();
    const { name, token } = await refreshCookieOf(account, 'spent7@example.com');
    await isIn(withRefreshToken(name, token), account);
    const idempotencyKey = `${derivedKeyPrefix}${sha256(token).toString('hex')}`;
    const refused = await test
      .app(account)
      .refusal('auth.session.refresh', { refreshToken: token }, { idempotencyKey });
    expect(refused.code).to.equal('refresh_reused');
  });
});
