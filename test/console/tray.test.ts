import { expect } from 'chai';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { goTo, useConsole } from './support.js';

const hostile = '<img src=x onerror="document.title=1">';

describe('The console, running work', function () {
  this.timeout(120_000);
  const test = useConsole();
  const { platform } = test;

  it('shows an import on every screen and after a reload, until it is hidden', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'audience/import', { bypassCSP: true });
    const csv = `email,firstName\nada@one.example,"${hostile.replaceAll('"', '""')}"\nbroken,Eve\n`;
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('button', { name: /^Check/ }).click();
    const tray = page.getByRole('region', { name: 'Running work' });
    await tray.getByText('Done · 2 of 2').waitFor();
    await goTo(page, 'email/message');
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    await tray.getByText('Done · 2 of 2').waitFor();
    await page.reload();
    await tray.getByText('Done · 2 of 2').waitFor();
    await expectGoodLooks(page, 'console-tray');
    await tray.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Check of/ }).waitFor();
    await tray.getByRole('button', { name: /^Hide/ }).click();
    await tray.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: /^Check of/ }).waitFor();
    expect(await tray.count()).to.equal(0);
    expect(test.complaints).to.deep.equal([]);
  });
});
