import { expect } from 'chai';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

describe('The console, for the look of pages', function () {
  needProducts('auth', 'email');
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;

  it('shows a colour in the real sign-in page and an email before it is saved, and on the page once published', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'account/theme');
    const frame = page.frameLocator('.paper iframe');
    await frame.locator('h1').waitFor();
    const purple = 'rgb(122, 31, 92)';
    /** Waits until the preview shows an element with this background. */
    const shows = (selector: string, colour: string): Promise<unknown> =>
      page.waitForFunction(
        `(() => {
          const shown = document.querySelector('.paper iframe')?.contentDocument;
          const found = shown?.querySelector('${selector}');
          return found && shown.defaultView.getComputedStyle(found).backgroundColor === '${colour}';
        })()`,
      );

    // Pale yellow with white text on it cannot be read.
    await page.getByLabel('Buttons', { exact: true }).fill('#ffee88');
    await page.getByText(/The contrast is too low: 1\.\d\d:1 on buttons/).waitFor();
    expect(await page.getByRole('button', { name: /^Publish theme/ }).getAttribute('aria-disabled')).to.equal('true');

    await page.getByLabel('Buttons', { exact: true }).fill('#7a1f5c');
    await page.getByLabel('Brand name').fill('<img src=x onerror="top.name=1"> & Sons');
    await frame.getByText('<img src=x onerror="top.name=1"> & Sons').waitFor();
    await shows('main button', purple);
    const before = await account.svc.call('account.theme.get', {});
    expect(before).to.deep.include({ draft: null });
    expect(before.published.version).to.equal(0);

    await page.getByRole('tab', { name: 'Email' }).click();
    await frame.getByText('Track the order').waitFor();
    await shows('.button, .button *', purple);

    await page.getByLabel('Brand name').fill('Ada & Sons');
    const publish = page.getByRole('button', { name: 'Publish theme' });
    const dialog = page.getByRole('dialog', { name: 'Publish theme?' });
    await publish.click();
    await dialog.getByText(/Every hosted page and system email .* immediately/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await account.svc.call('account.theme.get', {})).published.version).to.equal(0);
    await publish.click();
    await dialog.getByRole('button', { name: 'Publish theme' }).click();
    await page.getByText('Theme published.').waitFor();
    await page.goto(`${platform.running.address}/auth/${account.live.id}/signin`);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('main button')).backgroundColor`)).to.equal(
      purple,
    );
    await page.getByText('Ada & Sons').first().waitFor();
    expect(test.complaints).to.deep.equal([]);
  });

  it('is accessible and fits phones', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'account/theme', { bypassCSP: true });
    await page.frameLocator('.paper iframe').locator('h1').waitFor();
    await expectGoodLooks(page, 'console-theme');
  });
});
