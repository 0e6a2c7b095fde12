import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
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
});
