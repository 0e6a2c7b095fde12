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
});
