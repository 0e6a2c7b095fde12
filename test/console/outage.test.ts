import { expect } from 'chai';
import { useBrowser } from '#test/support/browser.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { cutOff, goTo, useConsole } from './support.js';

/** Reads and writes; the parts of the app are loaded with GET. */
const calls = /^https?:\/\/[^/]+\/(?!console\/assets\/)/;

describe('The console while the server cannot be reached', function () {
  needProducts('auth', 'audience', 'email');
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;

  it('shows by itself what was opened meanwhile, and until then why it is missing', async () => {
    const account = await platform.account();
    await account.svc.call('audience.contact.upsert', { email: 'grace@example.com' });
    const page = await test.open(account, 'email/message');
    const reads: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/audience/contact/list')) reads.push(request.url());
    });
    const restore = await cutOff(page, calls);
    await goTo(page, 'audience/contact');
    const alert = page.getByRole('alert').getByText('The server cannot be reached.');
    await alert.waitFor();
    const tried = reads.length;
    await eventually(() => reads.length > tried, 'another try by itself');
    expect(await alert.isVisible()).to.equal(true);
    await restore();
    await page.getByText('grace@example.com').first().waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  it('opens the environment that was chosen meanwhile, and starts, by itself', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'audience/contact');
    const alert = page.getByRole('alert').getByText('The server cannot be reached.');
    const restore = await cutOff(page, calls);
    await page.getByRole('group', { name: 'Environment' }).getByRole('link', { name: 'Test' }).click();
    await alert.waitFor();
    await restore();
    await page.getByText('Test environment').waitFor();

    for (const path of ['**/console/catalogue.json', '**/console/session']) {
      const end = await cutOff(page, path);
      await page.reload();
      await alert.waitFor();
      await end();
      await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    }
  });

  it('says why a choice has no options, and offers them as soon as it can', async () => {
    const account = await platform.account();
    await account.svc.call('audience.topic.create', { key: 'letters', name: 'Letters of a gardener' });
    await account.svc.call('email.template.draft.save', {
      template: 'hello',
      locales: { en: { subject: 'Hello', html: '<p>Hello</p>' } },
    });
    const page = await test.open(account, 'email/message');
    const restore = await cutOff(page, /\/(audience|email)\/(topic|template)\/list$/);
    await goTo(page, 'audience/import');
    await page.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email\nada@example.com'),
    });
    const topics = page.getByLabel('Topic that these people subscribed to');
    await topics.waitFor();
    const alert = page.locator('main').getByRole('alert').getByText('The server cannot be reached.');
    await alert.waitFor();
    await goTo(page, 'email/broadcast/new');
    const templates = page.getByLabel('Template');
    await templates.waitFor();
    await alert.waitFor();
    await restore();
    await templates.getByRole('option', { name: /hello/ }).waitFor({ state: 'attached' });
    await alert.waitFor({ state: 'detached' });
    expect(test.complaints.filter((each) => !each.includes('ERR_CONNECTION_REFUSED'))).to.deep.equal([]);
  });

  it('takes no outage for a problem of a template, which can still be published', async () => {
    const account = await platform.account();
    await account.svc.call('email.template.draft.save', {
      template: 'hello',
      locales: { en: { subject: 'Hello', html: '<p>Hello</p>' } },
    });
    const page = await test.open(account, 'email/template/hello');
    await page.getByText('No problems').waitFor();
    const restore = await cutOff(page, calls);
    await page.getByLabel('Subject').fill('Typed meanwhile');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    const texts = page.getByRole('region', { name: 'Texts' });
    await texts.getByText('Not checked yet.').waitFor();
    expect(await texts.innerText()).to.not.contain('Problem');
    const publish = page.getByRole('button', { name: 'Publish version 1' });
    expect(await publish.getAttribute('aria-disabled')).to.equal(null);
    await restore();
    await preview.getByText('Typed meanwhile').waitFor();
    await texts.getByText('No problems').waitFor();
  });

  it('loads a screen that was opened meanwhile by itself', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'email/message');
    const restore = await cutOff(page);
    await goTo(page, 'audience/topic');
    const alert = page.getByRole('alert');
    await alert.getByText('The server cannot be reached.').waitFor();
    await restore();
    await page.getByRole('heading', { level: 1, name: 'Topics' }).waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  it('loads a missing part again without losing what was typed', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'email/automation/new');
    const restore = await cutOff(page, '**/code-mirror-*.js');
    const name = page.getByLabel('Name', { exact: false }).first();
    await name.fill('Welcome to the garden');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('alert').getByText('A part of the console could not be loaded.').waitFor();
    await restore();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.code-editor').getByText('Welcome to the garden').waitFor();
    await page.getByRole('tab', { name: 'Step' }).click();
    expect(await name.inputValue()).to.equal('Welcome to the garden');
  });

  it('finds what was searched meanwhile by itself, and does not say that nothing has the name', async () => {
    const account = await platform.account();
    await account.svc.call('audience.contact.upsert', { email: 'grace@example.com' });
    const page = await test.open(account, 'email/message');
    // First the parts that search cannot be loaded, then they are and their reads fail.
    for (const path of ['**/*', calls]) {
      const restore = await cutOff(page, path);
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox').fill('grace@');
      await dialog.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      expect(await dialog.innerText()).to.not.contain('Nothing has this name.');
      await restore();
      await dialog
        .getByRole('option', { name: /grace@example\.com/ })
        .first()
        .waitFor();
      await page.reload();
      await page.locator('h1').first().waitFor();
    }
    expect(test.complaints.filter((each) => !each.includes('ERR_CONNECTION_REFUSED'))).to.deep.equal([]);
  });
});

describe('The sign-in of developers while the server cannot be reached', function () {
  needProducts('auth', 'email');
  this.timeout(180_000);
  const platform = usePlatform();
  const browser = useBrowser();

  it('says so, and can be repeated', async () => {
    const page = await browser.open({ locale: 'en-GB' });
    await page.goto(`${platform.running.address}/console`);
    const signIn = page.getByRole('button', { name: 'Sign in as owner@mail.localhost' });
    await signIn.waitFor();
    // First the part of the app, then its first request.
    for (const path of ['**/*', '**/dev/mailbox*']) {
      const restore = await cutOff(page, path);
      await signIn.click();
      await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      expect(await signIn.isEnabled()).to.equal(true);
      await restore();
    }
    await signIn.click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });
});

describe('The console of a key while the server cannot be reached', function () {
  this.timeout(180_000);
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'email,audience' }) });
  const browser = useBrowser();

  it('keeps the key', async () => {
    const account = await platform.account();
    const page = await browser.open({ locale: 'en-GB' });
    await page.goto(`${platform.running.address}/console`);
    await page.getByLabel('Secret key').fill(account.keys.live.secret);
    await page.getByRole('button', { name: 'Open console' }).click();
    const heading = page.getByRole('heading', { level: 1, name: 'Home' });
    await heading.waitFor();
    const restore = await cutOff(page, '**/developers/key/current');
    await page.reload();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await restore();
    await heading.waitFor();
  });
});
