import { expect } from 'chai';
import { submissionPort, submissionSettings, submit } from '#test/email/submission/support.js';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

describe('Connect an app, in the console', function () {
  needProducts('developers', 'email');
  this.timeout(180_000);
  const test = useConsole({ settings: () => ({ ...submissionSettings, SVC_SUBMISSION_HOST: 'smtp.shop.example' }) });
  const { platform } = test;

  it('shows the settings of apps, and beside a new key', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'email/connect');
    await page.getByText('smtp.shop.example').first().waitFor();
    const { ownAddress } = await account.svc.call('email.sender.get', {});
    expect(await page.getByLabel('Settings of Grafana', { exact: true }).innerText())
      .to.contain('smtp.shop.example')
      .and.contain(ownAddress);
    await page.getByRole('link', { name: 'API keys' }).last().click();
    await page.getByRole('button', { name: 'Create secret key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Grafana');
    await dialog.getByLabel('email:write').check();
    await dialog.getByRole('button', { name: 'Create secret key' }).click();
    const made = page.getByRole('dialog', { name: 'The new key' });
    await made.getByText('smtp.shop.example').waitFor();
    const key = await made.locator('code').first().innerText();
    const letter = { from: ownAddress, to: 'ada@example.com', subject: 'Alert', text: 'It is red.' };
    const { code, messageIds } = await submit({ port: submissionPort(platform), key, user: 'grafana' }, letter);
    expect(code).to.equal(250);
    const message = await test.open(account, `email/message/${messageIds[0] ?? ''}`);
    await message.getByText(/Submitted by SMTP as grafana, by app\.example\.com, from 127\.0\.0\.1/).waitFor();
    expect(test.complaints).to.deep.equal([]);
  });
});
