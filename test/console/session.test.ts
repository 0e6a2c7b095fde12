import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addMember } from '#test/account/support.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { dashboardOf, dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';
import { useBrowser } from '#test/support/browser.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

const form = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' };
const post = (url: string, headers: Record<string, string>, body = ''): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body, redirect: 'manual' });

describe('Signing in to the console', function () {
  this.timeout(180_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();

  it('leads from a link through the hosted pages back to the same screen', async () => {
    const account = await platform.account();
    const url = platform.running.address;
    const page = await browser.open({ locale: 'en-GB' });
    await page.goto(`${url}/console/${account.test.id}/audience/contact?query=ada`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email address').fill(account.ownerEmail);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code').fill(await test.codeTo(account.ownerEmail));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    expect(page.url()).to.equal(`${url}/console/${account.test.id}/audience/contact?query=ada`);
    await page.getByText('Test environment').waitFor();
  });
});

describe('The session of the console', function () {
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;

  const cookiesOf = async (email: string): Promise<string> => {
    const { accessToken, refreshToken } = await dashboardSession(platform, email);
    const { id } = await dashboardOf(platform);
    return `svc_access_${id}=${accessToken}; svc_refresh_${id}=${refreshToken}`;
  };
  const sessionUrl = (): string => `${platform.running.address}/console/session`;

  it('gives an access token and the environments to pages of its own origin only', async () => {
    const account = await platform.account();
    const Cookie = await cookiesOf(account.ownerEmail);
    const own = await post(sessionUrl(), { Cookie, 'Sec-Fetch-Site': 'same-origin' });
    const session: unknown = await own.json();
    expect(at(session, 'accessToken')).to.be.a('string');
    expect(JSON.stringify(session)).to.contain(account.live.id).and.to.not.contain('refresh');
    for (const site of ['cross-site', 'same-site'])
      expect((await post(sessionUrl(), { Cookie, 'Sec-Fetch-Site': site })).status, site).to.equal(403);
    expect((await post(sessionUrl(), { Cookie, Origin: 'https://evil.example' })).status).to.equal(403);
    expect((await fetch(sessionUrl(), { headers: { Cookie } })).status).to.equal(405);
  });

  it('leads a session without the required second factor to set it up', async () => {
    const account = await platform.account();
    const dashboard = await dashboardOf(platform);
    const operator = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost', { mfa: true }));
    await operator.call('auth.settings.set', { mfa: { required: true } }, inEnvironment(dashboard));
    try {
      const Cookie = await cookiesOf(account.ownerEmail);
      const session: unknown = await (await post(sessionUrl(), { Cookie, 'Sec-Fetch-Site': 'same-origin' })).json();
      expect(at(session, 'accessToken')).to.equal(null);
      const entrance = `/auth/${dashboard.id}/console`;
      expect(at(session, 'signInUrl')).to.equal(entrance);
      const led = await fetch(`${platform.running.address}${entrance}`, { headers: { Cookie }, redirect: 'manual' });
      expect(led.headers.get('Location')).to.equal(`/auth/${dashboard.id}/account`);
    } finally {
      await operator.call('auth.settings.reset', {}, inEnvironment(dashboard));
    }
  });

  it('renews by itself if the browser’s access token is refused and its refresh token is not', async () => {
    const account = await platform.account();
    const Cookie = (await cookiesOf(account.ownerEmail)).replace(/(svc_access_[^=]+=)[^;]+/, '$1refused');
    const session: unknown = await (await post(sessionUrl(), { Cookie, 'Sec-Fetch-Site': 'same-origin' })).json();
    expect(at(session, 'accessToken')).to.be.a('string').and.not.equal('refused');
  });

  it('signs out although the server no longer knows the session', async () => {
    const account = await platform.account();
    const { id } = await dashboardOf(platform);
    const Cookie = `${await cookiesOf(account.ownerEmail)}x`;
    const answer = await post(sessionUrl(), { Cookie, ...form }, 'do=sign-out');
    expect(answer.status).to.equal(200);
    const removed = answer.headers.getSetCookie().filter((each) => each.includes('Max-Age=0'));
    expect(removed.join()).to.contain(`svc_refresh_${id}=;`).and.contain(`svc_access_${id}=;`);
  });

  it('renews a token that was refused, and ends with a sign-out', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'email/message');
    await page.context().clearCookies({ name: /access/ });
    platform.clock.advance(minutes(16));
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.locator('.me summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/console');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.goto(`${platform.running.address}/console`);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('stops repeating reads when the session has ended, and goes on after a sign-in in another tab', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'email/message');
    await page.clock.install();
    await page.reload();
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') calls.push(new URL(request.url()).pathname);
    });
    await page.getByRole('button', { name: 'Live' }).click();
    await page.clock.runFor(minutes(1));
    await eventually(() => calls.filter((path) => path === '/email/message/list').length > 1, 'repeated reads');

    await endSession(page);
    await page.clock.runFor(minutes(1));
    const prompt = page.getByRole('alert').getByRole('link', { name: 'Sign in' });
    await prompt.waitFor();
    // What was under way may still ask once.
    const aMinute = async (): Promise<void> => {
      await page.clock.runFor(minutes(1));
      await page.evaluate('fetch("/console/session/asked", { method: "POST" })');
    };
    await aMinute();
    calls.length = 0;
    await aMinute();
    expect(calls).to.deep.equal(['/console/session/asked']);

    await test.signIn(page, account.ownerEmail);
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await prompt.waitFor({ state: 'detached' });
    calls.length = 0;
    await page.clock.runFor(minutes(1));
    await eventually(() => calls.includes('/email/message/list'), 'repeated reads again');
  });

  /** Follows the link to a sign-in, which must open a new tab, and comes back when somebody has signed in there. */
  const signInInNewTab = async (page: Page, email: string, facts: { mfa?: boolean } = {}): Promise<void> => {
    const prompt = page.locator('form').getByRole('alert');
    await prompt.getByText('in a new tab, then come back to this one and go on. What you typed stays.').waitFor();
    const link = prompt.getByRole('link', { name: 'Sign in' });
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await tab.getByLabel('Email address').waitFor();
    await test.signIn(page, email, facts);
    await tab.close();
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
  };
  const endSession = async (page: Page): Promise<void> => {
    const Cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    await post(sessionUrl(), { Cookie, ...form }, 'do=sign-out');
  };
  const typeTopic = async (page: Page): Promise<void> => {
    await page.getByLabel('Key', { exact: false }).first().fill('letters');
    await page.getByLabel('Name', { exact: false }).first().fill('Letters of a gardener');
  };

  it('keeps what was typed when the session ends, and goes on after a sign-in in a new tab', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'do/audience.topic.create');
    await typeTopic(page);
    await endSession(page);
    await page.getByRole('button', { name: 'Create topic' }).click();
    await signInInNewTab(page, account.ownerEmail);
    await page.getByText('Your session has ended.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create topic' }).click();
    await page.locator('.toast').first().waitFor();
    const { topics } = await account.svc.call('audience.topic.list', {});
    expect(topics.map(({ name }) => name)).to.deep.equal(['Letters of a gardener']);
  });

  it('keeps what was typed when the screen finds out that the session has ended', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'auth/settings');
    await page.clock.install();
    await page.reload();
    const required = page.getByLabel('Require a second factor');
    await required.check();
    await endSession(page);
    await page.clock.runFor(minutes(1));
    const returned = (): Promise<unknown> => page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await returned();
    const banner = page.getByText('Your session has ended.');
    await banner.waitFor();
    expect(await required.isChecked()).to.equal(true);
    await test.signIn(page, account.ownerEmail);
    await returned();
    await banner.waitFor({ state: 'detached' });
    expect(await required.isChecked()).to.equal(true);
  });

  it('goes on with the second factor of a sign-in in a new tab', async () => {
    const account = await platform.account();
    const dashboard = await dashboardOf(platform);
    const page = await test.open(account, 'do/audience.topic.create');
    await typeTopic(page);
    const operator = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost', { mfa: true }));
    await operator.call('auth.settings.set', { mfa: { required: true } }, inEnvironment(dashboard));
    try {
      await page.getByRole('button', { name: 'Create topic' }).click();
      await signInInNewTab(page, account.ownerEmail, { mfa: true });
      await page.getByRole('button', { name: 'Create topic' }).click();
      await page.locator('.toast').first().waitFor();
      const { topics } = await account.svc.call('audience.topic.list', {});
      expect(topics.map(({ name }) => name)).to.deep.equal(['Letters of a gardener']);
    } finally {
      await operator.call('auth.settings.reset', {}, inEnvironment(dashboard));
    }
  });

  it('starts again, and sends nothing, if another person has signed in in another tab', async () => {
    const account = await platform.account();
    const { email } = await addMember(platform, account, { role: 'admin' });
    const page = await test.open(account, 'audience/topic');
    await page.locator('.me').getByText(account.ownerEmail).waitFor();
    await page.getByRole('button', { name: 'Create topic' }).first().click();
    await page.getByLabel('Name that people read').fill('Product news');
    await test.signIn(page, email);
    platform.clock.advance(minutes(16));
    await page.getByRole('dialog').getByRole('button', { name: 'Create topic' }).click();
    await page.locator('.me').getByText(email).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Topics' }).waitFor();
    const { topics } = await account.svc.call('audience.topic.list', {});
    expect(topics).to.deep.equal([]);
  });

  it('leads out of an environment that is not open to the person', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    const page = await test.open({ ...account, live: other.live }, 'email/message');
    await page.getByRole('heading', { level: 1, name: 'This environment is not open to you' }).waitFor();
    await page.getByText(`You are signed in as ${account.ownerEmail}.`).waitFor();
    await page.getByRole('link', { name: 'Open your environments' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(page.url()).to.contain(`/console/${account.live.id}`);
    await page.goBack();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('says who is signed in to a member of no account, who can sign out', async () => {
    const account = await platform.account();
    const page = await test.open(account, '', { email: 'stranger@example.com' });
    await page.getByRole('heading', { level: 1, name: 'You are a member of no account here' }).waitFor();
    await page.getByText('You are signed in as stranger@example.com.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('switches between live and test on the same screen', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'audience/contact');
    await page.getByRole('group', { name: 'Environment' }).getByRole('link', { name: 'Test' }).click();
    await page.getByText('Test environment').waitFor();
    expect(page.url()).to.contain(`/console/${account.test.id}/audience/contact`);
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  });

  it('finds people, screens and operations by the keyboard', async () => {
    const account = await platform.account();
    await account.svc.call('audience.contact.upsert', { email: 'grace@example.com', firstName: 'Grace' });
    const page = await test.open(account, '');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('grace@');
    await page
      .getByRole('option', { name: /grace@example\.com/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('grace@example.com').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('create topic');
    await page.getByRole('option', { name: /Create topic/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create topic' }).waitFor();
  });

  it('runs no script that an email contains, and loads nothing from other hosts', async () => {
    const { address } = platform.running;
    const shell = await fetch(`${address}/console`);
    const policy = shell.headers.get('Content-Security-Policy') ?? '';
    expect(policy).to.contain("script-src 'self'").and.contain("require-trusted-types-for 'script'");
    expect(policy).to.not.contain('unsafe');
    expect(shell.headers.get('Cross-Origin-Opener-Policy')).to.equal('same-origin');
    const own = `${platform.running.services.deployment.baseUrl}/email/images/`;
    for (const [query, images] of [
      ['', `img-src data: ${own};`],
      ['?images=remote', `img-src data: ${own} https: http:;`],
    ] as const) {
      const framed = (await fetch(`${address}/console/preview${query}`)).headers.get('Content-Security-Policy') ?? '';
      expect(framed)
        .to.match(/^sandbox /)
        .and.contain("default-src 'none'")
        .and.contain(images);
      expect(framed).to.not.match(/allow-scripts|allow-forms|script-src/);
    }
    expect((await post(`${address}/console/preview`, {}, 'html=<p>Hi</p>')).status).to.equal(405);
  });
});

describe('The console on a development machine', function () {
  this.timeout(180_000);
  needProducts('auth', 'email');
  const platform = usePlatform();
  const browser = useBrowser();

  it('signs the owner in with one click', async () => {
    const page = await browser.open({ locale: 'en-GB' });
    await page.goto(`${platform.running.address}/console`);
    await page.getByRole('button', { name: 'Sign in as owner@mail.localhost' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });
});

describe('The console without sign-in', function () {
  this.timeout(180_000);
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'email,audience' }) });
  const browser = useBrowser();

  it('opens with a secret key, which stays in the tab', async () => {
    const account = await platform.account();
    const page = await browser.open({ locale: 'en-GB' });
    await page.goto(`${platform.running.address}/console`);
    await page.getByLabel('Secret key').fill('svc_live_nonsense');
    await page.getByRole('button', { name: 'Open console' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Secret key').fill(account.keys.live.secret);
    await page.getByRole('button', { name: 'Open console' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(page.url()).to.not.contain('svc_live');
    const other = await page.context().newPage();
    await other.goto(`${platform.running.address}/console`);
    await other.getByLabel('Secret key').waitFor();
  });
});

describe('SVC_CONSOLE=off', () => {
  const platform = usePlatform({ settings: () => ({ SVC_CONSOLE: 'off' }) });

  it('answers as if there were no console', async () => {
    const { address } = platform.running;
    for (const path of ['/console', '/console/catalogue.json', '/console/assets/x.js'])
      expect((await fetch(address + path)).status, path).to.equal(404);
    expect((await post(`${address}/console/session`, { 'Sec-Fetch-Site': 'same-origin' })).status).to.equal(404);
  });
});
