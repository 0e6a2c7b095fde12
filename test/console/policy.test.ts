import { expect } from 'chai';
import { needProducts } from '#test/support/products.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { appOf } from '#test/auth/oauth/support.js';
import { join, organizationOf, person } from '#test/auth/people.js';
import { startOidcProvider } from '#test/support/oidc-provider.js';
import { useConsole } from './support.js';

/** Would mark the window, if it ran. */
const hostile = '<img src=x onerror="name=1">';

describe('The console, for sign-in administrators', function () {
  needProducts('auth');
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;

  it('adds a redirect URL, requires a second factor after its consequences, and rotates the key', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'auth/settings');
    await page.getByLabel('New redirect URL').fill('http://shop.example.com');
    await page.keyboard.press('Enter');
    await page.locator('.error').getByText(/https/).first().waitFor();
    await page.getByLabel('New redirect URL').fill('https://shop.example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Redirect URL added.').waitFor();
    await page.locator('code').getByText('https://shop.example.com').waitFor();

    await page.getByLabel('Require a second factor').check();
    await page.getByRole('button', { name: 'Save second factor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/can only set one up/).waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Second factor: saved.').waitFor();

    await page.getByLabel('Link by email').uncheck();
    await page.getByRole('button', { name: 'Save methods' }).click();
    await dialog.getByText(/Turned off: link by email\./).waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Methods: saved.').waitFor();

    await page.getByRole('button', { name: 'Rotate signing key' }).click();
    await dialog.getByText(/Nobody is signed out/).waitFor();
    await dialog.getByRole('button', { name: 'Rotate signing key' }).click();
    await page.getByText('Signing key rotated.').waitFor();
    await page.getByText('its tokens verify until').waitFor();

    const { settings } = await account.svc.call('auth.settings.get', {});
    expect(settings.redirectUrls).to.deep.equal(['https://shop.example.com']);
    expect(settings.mfa.required).to.equal(true);
    expect(settings.methods).to.deep.include({ link: { enabled: false }, code: { enabled: true } });
    expect(test.complaints).to.deep.equal([]);
  });

  it('keeps the redirect URLs that somebody else has added or removed since the screen was read', async () => {
    const account = await platform.account();
    const set = (...redirectUrls: string[]) => account.svc.call('auth.settings.set', { redirectUrls });
    const stored = async (): Promise<string[]> =>
      (await account.svc.call('auth.settings.get', {})).settings.redirectUrls;
    await set('https://a.example.com', 'https://b.example.com');
    const page = await test.open(account, 'auth/settings');
    await page.locator('code').getByText('https://b.example.com').waitFor();

    await set('https://a.example.com', 'https://b.example.com', 'https://theirs.example.com');
    await page.getByLabel('New redirect URL').fill('https://mine.example.com');
    await page.keyboard.press('Enter');
    await page.locator('code').getByText('https://mine.example.com').waitFor();
    expect(await stored()).to.deep.equal([
      'https://a.example.com',
      'https://b.example.com',
      'https://theirs.example.com',
      'https://mine.example.com',
    ]);

    await set('https://b.example.com', 'https://mine.example.com', 'https://new.example.com');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'https://b.example.com' })
      .getByRole('button', { name: 'Remove redirect URL' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove redirect URL' }).click();
    await page.getByText('Redirect URL removed.').waitFor();
    expect(await stored()).to.deep.equal(['https://mine.example.com', 'https://new.example.com']);
    expect(test.complaints).to.deep.equal([]);
  });

  it('turns a provider off and on again under the methods', async () => {
    const oidc = await startOidcProvider();
    after(() => oidc.close());
    const account = await platform.account();
    const { svcTest } = account;
    await svcTest.call('auth.oauth.app.set', { ...appOf(oidc), name: 'Work account' });
    await svcTest.call('auth.settings.set', { methods: { corp: { enabled: false } } });
    const page = await test.open(account, 'auth/settings', { side: 'test' });
    const provider = page.getByRole('row', { name: /Work account/ });
    const box = page.getByRole('checkbox', { name: /^Work account/ });
    await provider.getByText('Turned off under Methods.').waitFor();

    await box.check();
    await page.getByRole('button', { name: 'Save methods' }).click();
    await page.getByText('Methods: saved.').waitFor();
    await provider.getByText('Enabled', { exact: true }).waitFor();
    const methodsNow = async () => (await svcTest.call('auth.settings.get', {})).settings.methods;
    expect(await methodsNow()).to.deep.include({ corp: { enabled: true } });

    await box.uncheck();
    await page.getByRole('button', { name: 'Save methods' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Turned off: Work account\./)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click();
    await provider.getByText('Turned off under Methods.').waitFor();
    expect(await methodsNow()).to.deep.include({ corp: { enabled: false } });
    expect(test.complaints).to.deep.equal([]);
  });

  it('empties a list, and keeps what it does not show and what others have added', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { signup: { allow: 'invited', blockedDomains: ['spam.example'] } });
    const page = await test.open(account, 'auth/settings');
    await page.getByLabel('Blocked domains').waitFor();
    await account.svc.call('auth.settings.set', { signup: { blockedDomains: ['spam.example', 'theirs.example'] } });
    await page.getByLabel('Blocked domains').fill('mine.example');
    await page.getByRole('button', { name: 'Save who can sign up' }).click();
    await page.getByText('Who can sign up: saved.').waitFor();
    const { signup } = (await account.svc.call('auth.settings.get', {})).settings;
    expect(signup.blockedDomains).to.deep.equal(['theirs.example', 'mine.example']);
    await page.reload();
    await page.getByLabel('Blocked domains').fill('');
    await page.getByRole('button', { name: 'Save who can sign up' }).click();
    await page.getByText('Who can sign up: saved.').waitFor();
    const { settings } = await account.svc.call('auth.settings.get', {});
    expect(settings.signup).to.deep.equal({ allow: 'invited', allowedDomains: [], blockedDomains: [] });
  });

  it('shows an organization with the roles of its members, and changes a role with the session of its owner', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'grace');
    const { id } = await organizationOf(owner, hostile);
    const ada = await person(platform, account, 'ada');
    await join(platform, id, ada);
    const page = await test.open(account, 'auth/org', { bypassCSP: true });
    await page.getByRole('link', { name: hostile }).click();
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    const row = page.getByRole('row', { name: /ada@example\.com/ });
    await row.getByText('member', { exact: true }).waitFor();
    await page
      .getByRole('row', { name: /grace@example\.com/ })
      .getByText('owner', { exact: true })
      .waitFor();
    await expectGoodLooks(page, 'console-organization');
    await page.setViewportSize({ width: 1360, height: 850 });

    await row.getByRole('link', { name: 'Change the role of ada@example.com' }).click();
    await page.getByLabel(/^Access token/).fill(owner.accessToken);
    await page.getByLabel(/^Publishable key/).fill(account.keys.live.publishable);
    await page.getByLabel(/^Role/).selectOption('admin');
    await page
      .locator('form')
      .getByRole('button', { name: /member/i })
      .click();
    await page.getByText(/^Done:/).waitFor();
    await page.goto(`${platform.running.address}/console/${account.live.id}/auth/org/${id}`);
    await row.getByText('admin', { exact: true }).waitFor();
    expect(await page.evaluate('name')).to.equal('');
  });

  it('reads the roles of an organization a few at a time', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'grace');
    const { id, name } = await organizationOf(owner);
    const names = ['ada', 'bob', 'cem', 'dana', 'eve', 'finn', 'gil', 'hal'];
    for (const each of names) await join(platform, id, await person(platform, account, each));
    const page = await test.open(account, 'auth/org');
    const counts = { now: 0, most: 0 };
    await page.route('**/auth/user/get', async (route) => {
      counts.now += 1;
      counts.most = Math.max(counts.most, counts.now);
      const response = await route.fetch();
      counts.now -= 1;
      await route.fulfill({ response });
    });
    await page.getByRole('link', { name }).click();
    for (const each of names)
      await page
        .getByRole('row', { name: new RegExp(`${each}@example\\.com`) })
        .getByText('member', { exact: true })
        .waitFor();
    expect(counts.most).to.be.within(2, 4);
    expect(test.complaints).to.deep.equal([]);
  });

  it('says who acts as a user and until when, and ends it', async () => {
    const account = await platform.account();
    const { user } = await account.svc.call('auth.user.create', { email: 'eve@example.com', name: hostile });
    const page = await test.open(account, `auth/user/${user.id}`);
    await page.getByRole('button', { name: 'Impersonate user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('The invoice page is empty.');
    await dialog.getByRole('button', { name: 'Impersonate user' }).click();
    await dialog.getByText(/Authorization: Bearer .* It ends /).waitFor();
    await dialog.getByRole('button', { name: 'Close, it is copied' }).click();
    await page.getByText(/acts as this user/).waitFor();
    await page.getByRole('button', { name: 'End impersonation' }).click();
    await page.getByText('Impersonation ended.').waitFor();
    await page.getByText(/acts as this user/).waitFor({ state: 'detached' });
    const { sessions } = await account.svc.call('auth.session.list', { userId: user.id });
    expect(sessions.filter(({ endedAt }) => endedAt === null)).to.deep.equal([]);
    expect(test.complaints).to.deep.equal([]);
  });

  it('is accessible and fits phones', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', {
      redirectUrls: ['https://shop.example.com/a/very/long/address/of/a/page'],
    });
    await account.svc.call('auth.oauth.app.set', {
      provider: 'google',
      name: hostile,
      clientId: '123',
      clientSecret: 'secret',
      enabled: false,
    });
    const page = await test.open(account, 'auth/settings', { bypassCSP: true });
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
    await expectGoodLooks(page, 'console-settings');
    expect(await page.evaluate('name')).to.equal('');
  });
});
