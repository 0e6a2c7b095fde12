import { expect } from 'chai';
import { codeChallenge, codeVerifier, state } from '#test/auth/binding.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { visitor, type Visitor } from './visitor.js';

describe('The sign-in pages and the app that sends people there', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const redirectTo = 'https://app.example.com/callback';

  async function given(): Promise<{ account: TestAccount; page: string }> {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com', redirectTo] });
    return { account, page: `/auth/${account.live.id}/signin` };
  }

  const query = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

  async function expectInApp(account: TestAccount, location: string | null): Promise<void> {
    const back = new URL(location ?? '');
    expect(back.searchParams.get('state')).to.equal(state);
    const code = back.searchParams.get('svc_code') ?? '';
    expect((await test.app(account).refusal('auth.session.exchange', { code })).code).to.equal('code_invalid');
    await test.app(account).call('auth.session.exchange', { code, codeVerifier });
  }

  it('return the app’s state, and keep the code for whoever has the verifier: by code, and by link in another browser', async () => {
    const { account, page } = await given();
    const address = `${page}?${query({ redirectTo, state, codeChallenge })}`;
    const browser = visitor(platform);
    await browser.get(address);
    await browser.submit(page, { do: 'code', email: 'bound@example.com' });
    const code = await test.codeTo('bound@example.com');
    await expectInApp(account, (await browser.post(`${page}?step=code`, { do: 'verify', code })).location);

    await browser.get(address);
    await browser.submit(page, { do: 'link', email: 'bound@example.com' });
    const link = `/auth/${account.live.id}/link?token=${await test.linkTo('bound@example.com', 2)}`;
    const other = visitor(platform);
    const shown = await other.get(link);
    expect(shown.text).to.contain('This signs you in as').and.contain('b•••@example.com').and.not.contain('bound@');
    await expectInApp(account, (await other.post(link, { do: 'complete' })).location);
  });

  it('still lead to the app if the first page was open for longer than its cookie lasts', async () => {
    const { account, page } = await given();
    const address = `${page}?${query({ redirectTo, state, codeChallenge })}`;
    const browser = visitor(platform);
    await browser.get(address);
    platform.clock.advance(minutes(31));
    browser.forget(/signin/);
    await browser.submit(address, { do: 'code', email: 'late@example.com' });
    const code = await test.codeTo('late@example.com');
    await expectInApp(account, (await browser.post(`${page}?step=code`, { do: 'verify', code })).location);

    await account.svc.call('auth.settings.set', { redirectUrls: [] });
    browser.forget(/signin/);
    const refused = await browser.submit(address, { do: 'code', email: 'late@example.com' });
    expect(refused.text, 'the address is checked as at the start').to.contain(
      'uses a return address that isn’t allowed',
    );
  });

  it('name nobody on the page of a link whose secret is wrong', async () => {
    const { account, page } = await given();
    await visitor(platform).get(page);
    const browser = visitor(platform);
    await browser.submit(page, { do: 'link', email: 'guessed@example.com' });
    const token = await test.linkTo('guessed@example.com');
    const shown = await browser.get(`/auth/${account.live.id}/link?token=${token.slice(0, 37)}${'x'.repeat(43)}`);
    expect(shown.text).to.not.contain('g•••@example.com');
  });

  it('refuse values that are too long, and say so to the developer', async () => {
    const { page } = await given();
    for (const wrong of [
      { state: 'x'.repeat(257) },
      { state: 'a b' },
      { codeChallenge: 'short' },
      { redirectTo: `${redirectTo}?${'x'.repeat(1_000)}` },
    ]) {
      const refused = await visitor(platform).get(`${page}?${query({ redirectTo, state, codeChallenge, ...wrong })}`);
      expect(refused.status).to.equal(400);
      expect(refused.text).to.contain('passed a value that can’t be used').and.not.contain('<form');
    }
  });

  const sizeOf = ({ cookies }: Visitor): number =>
    [...cookies].reduce((sum, [name, value]) => sum + name.length + value.length + 3, 0);

  it('keep little in the browser, sealed, whatever the address holds', async () => {
    const { page } = await given();
    const root = page.replace('/signin', '');
    const browser = visitor(platform);
    await browser.get(`${page}?${query({ next: `${root}/device?${'x'.repeat(3_000)}`, email: 'x'.repeat(3_000) })}`);
    expect(sizeOf(browser)).to.be.lessThan(1_000);
    const longest = {
      redirectTo: `${redirectTo}?${'x'.repeat(900)}`,
      state: 'x'.repeat(256),
      codeChallenge,
      email: 'x'.repeat(3_000),
    };
    await browser.get(`${page}?${query(longest)}`);
    await browser.submit(page, { do: 'code', email: `${'x'.repeat(60)}@example.com` });
    expect(sizeOf(browser)).to.be.lessThan(4_000);
    const [, value = ''] = [...browser.cookies].find(([name]) => name.includes('signin')) ?? [];
    expect(Buffer.from(value, 'base64url').toString('latin1')).to.not.contain('app.example.com');
  });

  it('keep few sign-ins of other environments, so that a browser is never refused for the length of its headers', async () => {
    const browser = visitor(platform);
    for (let each = 0; each < 6; each += 1) {
      const { page } = await given();
      const shown = await browser.get(
        `${page}?${query({ redirectTo: `${redirectTo}?${'x'.repeat(900)}`, state: 'x'.repeat(256), codeChallenge })}`,
      );
      expect(shown.status).to.equal(200);
    }
    expect([...browser.cookies.keys()].filter((name) => name.includes('signin'))).to.have.length(3);
    expect(sizeOf(browser)).to.be.lessThan(8_000);
  });

  it('lead to their own pages alone, also where somebody wrote the cookie', async () => {
    const { account, page } = await given();
    const browser = visitor(platform);
    await browser.get(`${page}?${query({ next: '//evil.example/' })}`);
    const name = [...browser.cookies.keys()].find((each) => each.includes('signin')) ?? '';
    browser.keep(name, Buffer.from(JSON.stringify({ next: 'https://evil.example/' })).toString('base64url'));
    await browser.submit(page, { do: 'code', email: 'next@example.com' });
    const code = await test.codeTo('next@example.com');
    const left = await browser.post(`${page}?step=code`, { do: 'verify', code });
    expect(left.location).to.equal(`/auth/${account.live.id}/account`);
  });
});
