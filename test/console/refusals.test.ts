import { expect } from 'chai';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

describe('The console, for what is refused or ends something', function () {
  needProducts('auth', 'billing');
  this.timeout(120_000);
  const test = useConsole();
  const { platform } = test;

  it('opens how people sign in beside the console, and never offers to remove something as the way to begin', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'auth/oauth.app');
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
    expect(await page.getByText(/Remove OAuth app/i).count()).to.equal(0);
    await page.locator('details.me summary').click();
    expect(await page.getByRole('link', { name: 'How you sign in' }).getAttribute('target')).to.equal('_blank');
  });

  it('shows that usage cannot be read in the place of the figures', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'billing/invoice');
    await page.route('**/billing/usage/get', (route) => route.abort('connectionreset'));
    await page.goto(page.url().replace(/billing\/invoice$/, 'billing/usage'));
    const card = (title: string) => page.locator('section.card').filter({ hasText: title });
    for (const title of ['By day', 'By meter']) {
      await card(title).getByText('The server cannot be reached.').waitFor();
      expect(await card(title).locator('.loading').count()).to.equal(0);
    }
  });

  it('disables the actions of a key that holds more than the member, and says what', async () => {
    const account = await platform.account();
    const email = `developer-${account.accountId}@example.com`;
    await account.svc.call('account.member.invite', { email, role: 'developer' });
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.run("UPDATE account_member SET status = 'active', proven_at = created_at WHERE email = ?", [email]);
    });
    const { keys } = await account.svc.call('developers.key.list', {});
    const strong = keys.find(({ permissions }) => permissions.includes('billing:write'));
    const page = await test.open(account, `developers/key/${strong?.id ?? ''}`, { email });
    for (const name of [/^Edit key/, /^Rotate key/, /^Revoke key/]) {
      const button = page.getByRole('button', { name });
      await button.waitFor();
      expect(await button.getAttribute('title')).to.contain('billing:write');
    }
  });
});
