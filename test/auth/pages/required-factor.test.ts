import { expect } from 'chai';
import { codeChallenge, codeVerifier, state } from '#test/auth/binding.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import type { TestAccount } from '#test/support/platform.js';
import { enrolmentIn, inside } from './inside.js';
import { visitor, type Seen, type Visitor } from './visitor.js';

const app = 'https://app.example.com';
const redirectTo = `${app}/callback?from=the%20app`;

describe('Signing in where a second factor is required, for somebody who has none', () => {
  const test = useSignInMail();
  const { platform } = test;

  async function given(): Promise<{ account: TestAccount; root: string }> {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: [redirectTo], mfa: { required: true } });
    return { account, root: `/auth/${account.live.id}` };
  }

  /** Comes from the app and signs in. */
  async function arrive(root: string, email: string): Promise<{ browser: Visitor; answer: Seen }> {
    const browser = visitor(platform);
    await browser.get(`${root}/signin?${new URLSearchParams({ redirectTo, state, codeChallenge }).toString()}`);
    await browser.submit(`${root}/signin`, { do: 'code', email });
    const code = await test.codeTo(email);
    return { browser, answer: await browser.post(`${root}/signin?step=code`, { do: 'verify', code }) };
  }

  /** Sets an app up, as far as the recovery codes. */
  async function setUp(browser: Visitor, root: string): Promise<Seen> {
    const shown = await browser.submit(`${root}/account`, { do: 'enrol' });
    const { factorId, code } = enrolmentIn(test, shown);
    return browser.submit(`${root}/account?step=authenticator`, { do: 'activate', factorId, code });
  }

  const keep = (browser: Visitor, root: string): Promise<Seen> =>
    browser.post(`${root}/account?step=recovery`, { do: 'codes-kept' });

  const cookiesOf = ({ cookies }: Visitor): string[] =>
    [...cookies.keys()].filter((name) => /access|refresh|destination/.test(name));

  async function expectInApp(account: TestAccount, left: Seen): Promise<void> {
    const back = new URL(left.location ?? '');
    const code = back.searchParams.get('svc_code') ?? '';
    back.searchParams.delete('svc_code');
    expect(back.origin + back.pathname).to.equal(`${app}/callback`);
    expect(back.searchParams.get('from')).to.equal('the app');
    expect(back.searchParams.get('state')).to.equal(state);
    const { tokens } = await test.app(account).call('auth.session.exchange', { code, codeVerifier });
    const checked = await account.svc.call('auth.session.verify', { accessToken: tokens.accessToken });
    expect(checked).to.deep.include({ valid: true, reason: null });
    expect(checked.session).to.include({ mfa: true });
  }

  it('has the person set one up, then hands the session over to the app', async () => {
    const { account, root } = await given();
    const { browser, answer } = await arrive(root, 'factor-first@example.com');
    expect(answer.location, 'the app could do nothing with the session').to.equal(`${root}/account`);
    expect((await browser.get(`${root}/account`)).text).to.contain('Two-step sign-in is required here');
    const codes = await setUp(browser, root);
    expect(codes.text).to.contain('Save your recovery codes');
    await expectInApp(account, await keep(browser, root));
    expect(cookiesOf(browser), 'the app has the session, the pages have none').to.deep.equal([]);
  });

  it('does so after a link too, in the browser that opened it', async () => {
    const { account, root } = await given();
    const email = 'factor-first-link@example.com';
    await test
      .app(account)
      .call('auth.signin.start', { email, method: 'link', redirectTo, handoff: true, state, codeChallenge });
    const browser = visitor(platform);
    const token = await test.linkTo(email);
    const answer = await browser.post(`${root}/link?${new URLSearchParams({ token }).toString()}`, { do: 'complete' });
    expect(answer.location).to.equal(`${root}/account`);
    await setUp(browser, root);
    await expectInApp(account, await keep(browser, root));
  });

  it('leads to no address that is allowed no longer: the person stays on the account page', async () => {
    const { account, root } = await given();
    const { browser } = await arrive(root, 'factor-late@example.com');
    await setUp(browser, root);
    await account.svc.call('auth.settings.set', { redirectUrls: [] });
    const stays = await browser.submit(`${root}/account?step=recovery`, { do: 'codes-kept' });
    expect(stays.text).to.contain('Two-step sign-in is on.').and.contain('Where you’re signed in');
  });

  it('leads nobody else there: the destination belongs to the person who came from the app', async () => {
    const { account, root } = await given();
    const { browser } = await arrive(root, 'factor-hers@example.com');
    const destination = [...browser.cookies].find(([name]) => name.includes('destination'));
    const other = await inside(test, account, 'factor-his@example.com');
    other.keep(destination?.[0] ?? '', destination?.[1] ?? '');
    await setUp(other, root);
    expect((await keep(other, root)).location).to.equal(`${root}/account`);
  });

  it('comes back to the page of a device', async () => {
    const { account, root } = await given();
    const browser = await inside(test, account, 'factor-device@example.com');
    const { userCode } = await test.app(account).call('auth.device.start', { clientName: 'A television' });
    const page = `${root}/device?user_code=${userCode}`;
    expect((await browser.open(page)).path).to.equal(`${root}/account`);
    await setUp(browser, root);
    expect((await keep(browser, root)).location).to.equal(page);
    expect((await browser.get(page)).text).to.contain('Let A television sign in as you?');
  });
});
