import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import type { TestAccount } from '#test/support/platform.js';
import { useConsole } from './support.js';

/** Would mark the window, if it ran. Names may not contain a dot between letters. */
const hostile = '<img src=x onerror="name=\'owned\'">';

describe('The console’s list of contacts', function () {
  needProducts('audience');
  this.timeout(240_000);
  const test = useConsole();
  const { platform } = test;

  async function people(): Promise<TestAccount> {
    const account = await platform.account();
    const { svc } = account;
    await svc.call('audience.topic.create', { key: 'news', name: 'Product news' });
    await svc.call('audience.segment.create', {
      name: 'Pro customers',
      definition: { field: 'properties.plan', op: 'eq', value: 'pro' },
    });
    const all = [
      { email: 'ada@example.com', firstName: 'Ada', lastName: hostile, properties: { plan: 'pro', city: hostile } },
      { email: 'grace@example.com', firstName: 'Grace', properties: { plan: 'pro', city: '=1+1' } },
      { phone: '+491713920000', firstName: 'Kofi', properties: { plan: 'free' } },
    ];
    for (const each of all) await svc.call('audience.contact.upsert', each);
    return account;
  }
  const names = async (account: TestAccount, topic: string): Promise<(string | null)[]> =>
    (await account.svc.call('audience.contact.list', { topic })).contacts.map(({ firstName }) => firstName);

  it('finds people by search, segment and conditions, without writing whom to the address', async () => {
    const account = await people();
    const page = await test.open(account, 'audience/contact');
    const rows = page.locator('table.rows tbody tr');
    await page.getByRole('link', { name: 'Grace', exact: true }).waitFor();
    expect(await rows.count()).to.equal(3);
    const search = page.getByRole('searchbox');
    await search.fill('ADA@');
    await page.getByRole('link', { name: 'Grace', exact: true }).waitFor({ state: 'detached' });
    expect(await rows.count()).to.equal(1);
    expect(page.url()).to.not.contain('ADA');
    const { contact } = await account.svc.call('audience.contact.get', { phone: '+491713920000' });
    await search.fill(contact.id);
    await page.getByRole('link', { name: 'Kofi', exact: true }).waitFor();
    await search.fill('');
    await page.getByRole('link', { name: 'Grace', exact: true }).waitFor();

    await page.locator('summary', { hasText: 'Segment' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Segment', { exact: true }).selectOption({ label: 'Pro customers' });
    await page.getByRole('link', { name: 'Kofi', exact: true }).waitFor({ state: 'detached' });
    await page.getByText('2 contacts').waitFor();

    await page.locator('summary', { hasText: 'Property or date' }).click();
    await page.getByLabel('Property or date').or(page.locator('details[open] input')).first().fill('city');
    await page.locator('details[open] input.value').fill('=1+1');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await page.getByText('1 contacts').waitFor();
    expect(await rows.count()).to.equal(1);
    await rows.first().getByRole('link', { name: 'Grace', exact: true }).waitFor();
    expect(await page.evaluate('name')).to.equal('');
    expect(test.complaints).to.deep.equal([]);
  });

  it('adds the selected people to a topic, sets a property of all and takes it back, by keyboard', async () => {
    const account = await people();
    const page = await test.open(account, 'audience/contact');
    await page.getByLabel('Select this page').focus();
    await page.keyboard.press('Space');
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Add to a topic' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 contacts will change. Without an address for it: 1.').waitFor();
    await dialog.getByLabel('Topic').selectOption({ label: 'Product news' });
    await dialog.getByLabel('Where they agreed').fill('trade fair in Lyon');
    await page.keyboard.press('Enter');
    await dialog.getByText('Done for 2 contacts.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await names(account, 'news')).to.have.members(['Ada', 'Grace']);

    await page.getByLabel('Select this page').check();
    await page.getByRole('button', { name: 'Set a property' }).click();
    await dialog.getByLabel('Property').fill('plan');
    await dialog.getByLabel('Value').fill('team');
    await dialog.getByRole('button', { name: /^Set a property: 3/ }).click();
    await dialog.getByText('Done for 3 contacts.').waitFor();
    const plans = async () =>
      (await account.svc.call('audience.contact.list', {})).contacts.map(({ properties }) => properties['plan']);
    expect(await plans()).to.deep.equal(['team', 'team', 'team']);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('Undone for 3 contacts.').waitFor();
    expect(await plans()).to.deep.equal(['free', 'pro', 'pro']);
    expect(test.complaints).to.deep.equal([]);
  });

  it('saves what matches as a file that a spreadsheet does not calculate, and remembers the columns', async () => {
    const account = await people();
    const page = await test.open(account, 'audience/contact');
    await page.locator('summary', { hasText: 'Columns' }).click();
    await page.getByLabel('city').check();
    await page.reload();
    await page.getByRole('columnheader', { name: 'city' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).to.equal('email,phone,firstName,lastName,externalId,locale,timeZone,createdAt,id,city,plan');
    expect(lines).to.have.length(4);
    expect(lines.find((line) => line.startsWith('grace@'))).to.contain(",'=1+1,pro");
    expect(lines.find((line) => line.includes('Kofi'))).to.contain(',+491713920000,');
  });

  it('is accessible and fits phones with every panel open, also for a viewer, who changes nothing', async () => {
    const account = await people();
    const email = `viewer-${account.accountId}@example.com`;
    await account.svc.call('account.member.invite', { email, role: 'viewer' });
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.run("UPDATE account_member SET status = 'active', proven_at = created_at WHERE email = ?", [email]);
    });
    const page = await test.open(account, 'audience/contact', { email, bypassCSP: true });
    await page.getByRole('link', { name: 'Grace', exact: true }).waitFor();
    await page.getByLabel('Select this page').check();
    for (const action of ['Add to a topic', 'Set a property', 'Suppress', 'Erase'])
      expect(await page.getByRole('button', { name: action }).getAttribute('aria-disabled'), action).to.equal('true');
    for (const title of ['Segment', 'Subscribed to', 'Property or date', 'Columns']) {
      await page.locator('summary', { hasText: title }).click();
      await expectGoodLooks(page, `console-contacts-${title.toLowerCase().replaceAll(' ', '-')}`, [
        'light',
        'phone-dark',
      ]);
      await page.keyboard.press('Escape');
    }
    await expectGoodLooks(page, 'console-contacts');
  });
});
