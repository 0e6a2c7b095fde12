import { expect } from 'chai';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

describe('The console, connecting a domain', function () {
  needProducts('email');
  this.timeout(240_000);
  const test = useConsole();
  const { platform } = test;

  it('adds a domain, ends on its records and copies them for a colleague, by keyboard', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'email/domain', { bypassCSP: true });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Add domain' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Domain').fill('mail.fern.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'mail.fern.example' }).waitFor();
    await page.getByText(/^0 of \d records? found$/).waitFor();
    const { domains } = await account.svc.call('email.domain.list', {});
    const dkim = domains[0]?.records.find(({ purpose }) => purpose === 'dkim');
    await page.getByText(dkim?.name.replace('.fern.example', '') ?? '', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy for a colleague' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).to.contain(dkim?.value).and.contain('(short: ');
    await page.getByRole('button', { name: 'Copy as a zone file' }).click();
    await page.getByRole('button', { name: 'Copied' }).nth(1).waitFor();
    const zone = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(zone).to.contain(`${dkim?.name ?? ''}. 3600 IN `);
    for (const [text] of zone.matchAll(/"[^"]*"/g)) expect(text.length).to.be.at.most(257);
    await expectGoodLooks(page, 'console-domain-added');
    expect(test.complaints).to.deep.equal([]);
  });
});
