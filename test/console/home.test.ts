import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addMember } from '#test/account/support.js';
import { useBrowser } from '#test/support/browser.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { cutOff, goTo, useConsole } from './support.js';

const sectionOf = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });

describe('The home screen of the console', function () {
  needProducts('auth', 'audience', 'developers', 'email');
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;

  it('states nothing about what it could not read, and reads it again by itself', async () => {
    const account = await platform.account();
    await account.svc.call('audience.contact.upsert', { email: 'grace@example.com' });
    const healthy = await test.open(account, '');
    await sectionOf(healthy, 'Needs attention').waitFor();
    await sectionOf(healthy, 'Getting started').getByText('There are contacts.').waitFor();
    await healthy.locator('main .loading').first().waitFor({ state: 'detached' });
    const expected = await healthy.locator('main').innerText();
    // All reads, and one of many.
    for (const path of [/\/(account|audience|auth|billing|developers|email|sms)\//, '**/audience/contact/list']) {
      const page = await test.open(account, 'audience/topic');
      const restore = await cutOff(page, path);
      await goTo(page, '');
      const alert = page.getByRole('alert').getByText('The server cannot be reached.');
      await alert.waitFor();
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      expect(await page.locator('main').innerText())
        .to.not.contain('Import your contacts')
        .and.not.contain('0 of 7');
      await restore();
      await alert.waitFor({ state: 'detached' });
      expect(await page.locator('main').innerText()).to.equal(expected);
    }
  });

  it('disables the actions that the role of a member does not allow, and says why', async () => {
    const account = await platform.account();
    const { email } = await addMember(platform, account, { role: 'viewer' });
    const page = await test.open(account, '', { email });
    const action = page.getByRole('button', { name: 'Add a domain' });
    await action.waitFor();
    expect(await action.getAttribute('title')).to.contain('email:write');
    expect(await sectionOf(page, 'Getting started').getByRole('link').allInnerTexts()).to.deep.equal([]);
  });
});

describe('The home screen of the console, for a key', function () {
  this.timeout(180_000);
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'email,audience' }) });
  const browser = useBrowser();

  it('leaves out what the key may not read', async () => {
    const account = await platform.account();
    await addMember(platform, account, { role: 'viewer' });
    const { plaintext } = await account.svc.call('developers.key.create', {
      name: 'Mail',
      permissions: ['email:read'],
    });
    const page = await browser.open({ locale: 'en-GB' });
    await page.goto(`${platform.running.address}/console`);
    await page.getByLabel('Secret key').fill(plaintext);
    await page.getByRole('button', { name: 'Open console' }).click();
    const steps = sectionOf(page, 'Getting started');
    await steps.getByText('Verify a sending domain').waitFor();
    expect(await steps.innerText())
      .to.contain('0 of 3')
      .and.not.contain('Invite a colleague')
      .and.not.contain('Import your contacts');
    await sectionOf(page, 'Needs attention').getByText('Nothing in what you may read.').waitFor();
  });
});
