import { expect } from 'chai';
import { issuerOf } from '#test/auth/openid/app.js';
import { organizationOf, person } from '#test/auth/people.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

/** Would mark the window, if it ran. */
const hostile = '<img src=x onerror="name=1">"\'`';

describe('Apps, in the console', function () {
  needProducts('auth');
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;

  it('connects an app by keyboard, shows its secret once, and gives the settings to copy', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'auth/app');
    await page.getByText('No apps yet.').waitFor();
    await page.getByRole('button', { name: 'Connect an app' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Connect an app' });
    await dialog.getByLabel('Name').fill('Grafana');
    await dialog.getByLabel('Redirect addresses').fill('http://grafana.example.com/login\n\n');
    expect(await dialog.getByLabel('Client ID').inputValue()).to.equal('grafana');
    await dialog.getByLabel('Client ID').press('Enter');
    await dialog.locator('.error').getByText(/https/).waitFor();
    await dialog.getByLabel('Redirect addresses').fill('https://grafana.example.com/login/generic_oauth\n');
    await dialog.getByLabel('Client ID').press('Enter');
    const made = page.getByRole('dialog', { name: 'The secret of the app' });
    const secret = await made.locator('code').innerText();
    expect(secret).to.match(/^svc_as_/);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Grafana' }).waitFor();
    expect(await page.locator('body').innerText()).to.not.contain(secret);

    const issuer = issuerOf({ platform }, account).href;
    const shown = page.getByLabel('Settings of Grafana', { exact: true });
    expect(await shown.innerText())
      .to.contain(`auth_url = ${issuer}/oidc/authorize`)
      .and.contain('client_id = grafana');
    await page.getByRole('tab', { name: 'Grafana' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByLabel('Settings of Nextcloud', { exact: true }).waitFor();
    const { settings } = await account.svc.call('auth.settings.get', {});
    expect(settings.apps['grafana']).to.include({ name: 'Grafana', kind: 'confidential', firstParty: true });
    expect(settings.apps['grafana']?.redirectUrls).to.deep.equal(['https://grafana.example.com/login/generic_oauth']);
    expect(test.complaints).to.deep.equal([]);
  });

  it('does not replace an app that has the client ID already', async () => {
    const account = await platform.account();
    const redirectUrls = ['https://a.example.com/callback'];
    await account.svc.call('auth.settings.set', { apps: { wiki: { name: 'Ours', redirectUrls } } });
    const page = await test.open(account, 'auth/app');
    await page.getByRole('link', { name: 'Ours' }).waitFor();
    await account.svc.call('auth.settings.set', { apps: { cloud: { name: 'Theirs', redirectUrls } } });
    await page.getByRole('button', { name: 'Connect an app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Wiki');
    await dialog.getByText('Another app has this client ID.').first().waitFor();
    await dialog.getByLabel('Name').fill('Cloud');
    await dialog.getByLabel('Redirect addresses').fill('https://mine.example.com/callback');
    await dialog.getByRole('button', { name: 'Connect app' }).click();
    await dialog.getByText('Another app has this client ID.').first().waitFor();
    const { settings } = await account.svc.call('auth.settings.get', {});
    expect(settings.apps['cloud']).to.include({ name: 'Theirs' });
  });

  it('rotates the secret, restricts the app to an organization, and removes it after what ends', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'grace');
    const { id, name } = await organizationOf(owner);
    const redirectUrls = ['https://a.example.com/callback'];
    await account.svc.call('auth.settings.set', { apps: { wiki: { name: 'Wiki', redirectUrls } } });
    const page = await test.open(account, 'auth/app/wiki');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByText(/another 24 hours/).waitFor();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await page
      .getByRole('dialog', { name: 'The new secret' })
      .locator('code')
      .getByText(/^svc_as_/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Close, it is copied' }).click();

    await page.getByRole('button', { name: 'Edit app' }).click();
    await dialog.getByText('Who may sign in, and sign-out addresses').click();
    await dialog.getByLabel(name).check();
    await dialog.getByLabel('With at least the role').selectOption('admin');
    await account.svc.call('auth.settings.set', { apps: { wiki: { name: 'Our wiki' } } });
    await dialog.getByRole('button', { name: 'Save app' }).click();
    await dialog.getByText(/merged with/).waitFor();
    await dialog.getByRole('button', { name: 'Save app' }).click();
    await page.getByText('Admins and owners of 1 organization may sign in.').waitFor();
    const stored = (await account.svc.call('auth.settings.get', {})).settings.apps['wiki'];
    expect(stored).to.deep.include({ name: 'Our wiki', organizations: [id], minimumRole: 'admin', redirectUrls });

    await page.getByRole('button', { name: 'Remove app' }).click();
    await dialog.getByText(/refresh tokens and access tokens end immediately/).waitFor();
    await dialog.getByRole('button', { name: 'Remove app' }).click();
    await page.getByText('No apps yet.').waitFor();
    expect((await account.svc.call('auth.settings.get', {})).settings.apps).to.deep.equal({});
    expect(test.complaints).to.deep.equal([]);
  });

  it('shows who uses an app, is accessible and fits phones, whatever its name', async () => {
    const account = await platform.account();
    const redirectUrls = [`https://a.example.com/${'a-very-long-path/'.repeat(8)}`];
    const apps = { wiki: { name: hostile.slice(0, 80), redirectUrls, firstParty: false } };
    await account.svc.call('auth.settings.set', { apps });
    await account.svc.call('auth.user.create', { email: 'eve@example.com', name: hostile });
    const page = await test.open(account, 'auth/app', { bypassCSP: true });
    await page.getByText('Nobody yet').waitFor();
    await expectGoodLooks(page, 'console-apps');
    await page.getByRole('link', { name: hostile }).click();
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
    await expectGoodLooks(page, 'console-app');
    await page.getByRole('button', { name: 'Edit app' }).click();
    await page.getByText('Who may sign in, and sign-out addresses').click();
    await expectGoodLooks(page, 'console-app-edit');
    expect(await page.evaluate('name')).to.equal('');
    expect(test.complaints).to.deep.equal([]);
  });
});
