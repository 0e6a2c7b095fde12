import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { goTo, useConsole } from './support.js';

describe('The console, work that is not saved', () => {
  needProducts('auth', 'audience', 'email');
  const test = useConsole();
  const { platform } = test;

  /** Opens another screen as people do, with a click in the navigation. */
  const leave = async (page: Page): Promise<void> => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  };
  const theme = (page: Page) => page.getByLabel('Brand name');

  it('is kept through links, the way back, a reload and another environment, until it is saved', async function () {
    this.timeout(120_000);
    const account = await platform.account();
    const page = await test.open(account, 'account/theme');
    await theme(page).fill('Fern');
    await leave(page);
    await page.goBack();
    await page.getByText('are not saved yet').waitFor();
    expect(await theme(page).inputValue()).to.equal('Fern');
    await page.reload();
    expect(await theme(page).inputValue()).to.equal('Fern');
    // The other environment has another theme.
    await page.goto(page.url().replace(account.live.id, account.test.id));
    await theme(page).waitFor();
    expect(await theme(page).inputValue()).to.not.equal('Fern');
    await page.goBack();
    await page.getByText('are not saved yet').waitFor();
    expect(await theme(page).inputValue()).to.equal('Fern');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved.').waitFor();
    const kept = 'Object.keys(sessionStorage).filter((name) => name.startsWith("svc.draft.")).length';
    await eventually(async () => (await page.evaluate<number>(kept)) === 0, 'nothing is kept after the save');
    expect(test.complaints).to.deep.equal([]);
  });

  const editors: readonly (readonly [screen: string, label: string])[] = [
    ['audience/segment/new', 'Name'],
    ['email/automation/new', 'Name'],
    ['email/broadcast/new', 'Name'],
    ['audience/import', 'Or paste the rows'],
    ['auth/settings', 'New redirect URL'],
    ['do/email.send', 'Subject'],
    ['do/audience.contact.upsert', 'First name'],
  ];
  it('is kept in every editor', async function () {
    this.timeout(120_000);
    const account = await platform.account();
    const page = await test.open(account, '');
    for (const [screen, label] of editors) {
      await goTo(page, screen);
      const field = page.getByLabel(label).first();
      if (screen === 'do/email.send') await page.getByText('More fields').first().click();
      await field.fill('half written');
      await leave(page);
      await goTo(page, screen);
      await page.getByLabel(label).first().waitFor({ state: 'attached' });
      expect(await page.getByLabel(label).first().inputValue(), screen).to.equal('half written');
    }
    expect(test.complaints).to.deep.equal([]);
  });

  it('is dropped on request, at a sign-out and after a day, and shown to nobody else', async function () {
    this.timeout(120_000);
    const account = await platform.account();
    const page = await test.open(account, 'account/theme');
    await theme(page).fill('Fern');
    await leave(page);
    await page.goBack();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await theme(page).inputValue()).to.not.equal('Fern');

    await theme(page).fill('Fern');
    await page.evaluate(`for (const [name, text] of Object.entries(sessionStorage))
      if (name.startsWith('svc.draft.'))
        sessionStorage.setItem(name, JSON.stringify({ ...JSON.parse(text), at: Date.now() - 25 * 3600000 }));`);
    await page.reload();
    await theme(page).waitFor();
    expect(await theme(page).inputValue()).to.not.equal('Fern');

    await theme(page).fill('Fern');
    const [name = ''] = await page.evaluate<string[]>(
      'Object.keys(sessionStorage).filter((each) => each.startsWith("svc.draft."))',
    );
    expect(name).to.contain(account.live.id).and.to.contain(account.memberId);
    await page.getByRole('button', { name: account.ownerEmail }).or(page.getByText(account.ownerEmail)).first().click();
    await page.getByText('Sign out').first().click();
    const kept = 'Object.keys(sessionStorage).filter((each) => each.startsWith("svc.draft.")).length';
    await eventually(async () => (await page.evaluate<number>(kept).catch(() => 1)) === 0, 'no draft');
    await page.waitForURL('**/console');
    await page.getByRole('heading').first().waitFor();
  });

  it('is not stored if it contains a secret, and the browser asks before a reload', async function () {
    this.timeout(60_000);
    const account = await platform.account();
    const page = await test.open(account, 'do/auth.oauth.app.set');
    await page.getByText('More fields').first().click();
    await page.getByLabel('Client secret').fill('hush');
    await leave(page);
    await page.goBack();
    await page.getByLabel('Client secret').waitFor({ state: 'attached' });
    expect(await page.getByLabel('Client secret').inputValue()).to.equal('hush');
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).to.not.contain('hush');
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      });
    });
    await page.reload();
    expect(await asked).to.equal('beforeunload');
  });
});
