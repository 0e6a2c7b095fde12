import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '#test/support/browser.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

describe('the reference in a browser', function () {
  this.timeout(60_000);
  needProducts('email', 'sms');
  const platform = usePlatform();
  const browser = useBrowser();
  const phone = { viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true };
  const open = async (path: string, options = {}): Promise<Page> => {
    const page = await browser.open(options);
    await page.goto(`${platform.running.address}${path}`);
    return page;
  };
  const results = (page: Page) => page.getByRole('region', { name: 'Results' });

  it('finds operations of every product by name, by summary, and by any word of their sections', async () => {
    const page = await open('/reference/account');
    const box = page.getByRole('searchbox');
    await box.fill('email.sen');
    await results(page).getByRole('link', { name: 'email.send', exact: true }).waitFor();
    // Words that people use, and that neither name nor summary has.
    await box.fill('quiet hours');
    await results(page).getByRole('link', { name: 'sms.settings.set', exact: true }).waitFor();
    // Words that only the error's own section has.
    await box.fill('wrap text that only looks');
    await results(page).getByRole('link', { name: 'template_invalid', exact: true }).waitFor();
    await box.fill('no such words anywhere');
    await results(page).getByText('No results').waitFor();
    await box.fill('email.send');
    await box.press('Enter');
    await page.waitForURL('**/reference/email#email.send');
    expect(await page.getByRole('heading', { name: 'email.send', exact: true }).isVisible()).to.equal(true);
  });

  it('leads old addresses on one page to the new ones', async () => {
    const page = await open('/reference#email.send');
    await page.waitForURL('**/reference/email#email.send');
  });

  it('has touch targets of 44 pixels outside of sentences, and fits the screen of a phone', async () => {
    for (const path of ['/reference', '/reference/email', '/reference/errors']) {
      const page = await open(path, phone);
      const found = await page.evaluate(() => {
        const targets = [
          ...document.querySelectorAll(
            'button, input[type=search], .forms label, h2 a, .names a, .products > li > a:first-child',
          ),
        ];
        return {
          small: targets
            .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5)
            .map(({ textContent }) => textContent),
          sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        };
      });
      expect(found, path).to.deep.equal({ small: [], sideways: false });
      await page.getByRole('button', { name: 'Contents' }).click();
      const links = page.getByRole('navigation').getByRole('link');
      for (const link of await links.all())
        if (await link.isVisible()) expect((await link.boundingBox())?.height, path).to.be.at.least(43.5);
    }
  });
});
