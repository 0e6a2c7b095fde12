import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '#test/support/browser.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

describe('the mailbox page in a browser', function () {
  this.timeout(60_000);
  needProducts('email');
  const platform = usePlatform();
  const browser = useBrowser();
  const send = async (subject: string, more: object = {}): Promise<void> => {
    const { svc } = await platform.account();
    await svc.call('email.send', { to: 'ada@example.com', subject, text: 'Hello', ...more });
    await platform.settled();
  };
  const open = async (options = {}): Promise<Page> => {
    const page = await browser.open({ locale: 'en-GB', ...options });
    await page.goto(`${platform.running.address}/dev/mailbox`);
    return page;
  };

  it('shows new mail by itself, and keeps the focus', async () => {
    await send('First');
    const page = await open();
    await page.getByRole('link', { name: /First/ }).focus();
    await send('Second');
    await page.getByRole('link', { name: /Second/ }).waitFor();
    expect(await page.getByRole('status').textContent()).to.equal('One new message');
    expect(await page.getByRole('link', { name: /First/ }).and(page.locator(':focus')).count()).to.equal(1);
  });

  it('works without scripts: searches, opens, changes the view and deletes', async () => {
    await send('A searched one', { html: '<p>HTML</p>' });
    const page = await open({ javaScriptEnabled: false });
    await page.getByRole('searchbox').fill('searched');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: /A searched one/ }).click();
    await page.frameLocator('iframe').getByText('HTML').waitFor();
    await page.getByRole('link', { name: 'Text', exact: true }).click();
    await page.getByRole('region', { name: 'The message as text' }).getByText('Hello').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Mailbox' }).waitFor();
    expect(await page.getByRole('link', { name: /A searched one/ }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('No mail yet').waitFor();
  });

  it('fits a mail that is 600 pixels wide into the screen of a phone', async () => {
    await send('Wide', { html: '<table width="600"><tr><td id="cell">Hi</td></tr></table>' });
    const page = await open({ viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true });
    await page.getByRole('link', { name: /Wide/ }).click();
    const cell = page.frameLocator('iframe').locator('#cell');
    await cell.waitFor();
    const [mail, frame] = [await cell.boundingBox(), await page.locator('iframe').boundingBox()];
    if (!mail || !frame) throw new Error('The mail is not shown.');
    expect(mail.x + mail.width).to.be.at.most(frame.x + frame.width);
    expect(mail.width).to.be.at.least(frame.width * 0.85);
  });
});
