import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { useBrowser } from '#test/support/browser.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { questions } from './queries.js';

describe('The documentation in a browser', function () {
  this.timeout(240_000);
  needProducts('audience', 'auth', 'billing', 'email', 'sms');
  const platform = usePlatform();
  const browser = useBrowser();
  const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
  const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await browser.open(options);
    // Several of these pages are long, and a busy machine takes its time.
    page.setDefaultNavigationTimeout(60_000);
    page.on('pageerror', (error) => expect.fail(`${path}: ${error.message}`));
    await page.goto(`${platform.running.address}${path}`);
    return page;
  };
  const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option');

  it('finds what new users ask for among the first three results', async () => {
    const page = await open('/docs');
    const box = page.getByRole('combobox', { name: 'Search the documentation' });
    await box.focus();
    const missed: string[] = [];
    for (const [query, ...pages] of questions) {
      await box.fill('');
      await page.getByRole('listbox', { name: 'Results' }).waitFor({ state: 'hidden' });
      await box.fill(query);
      await options(page).first().waitFor();
      const first = await options(page).evaluateAll((links) =>
        links.slice(0, 3).map((link) => link.getAttribute('href')),
      );
      const isRight = (found: string | null): boolean =>
        pages.some((page) => found === page || (!page.includes('#') && found?.split('#')[0] === page));
      if (!first.some(isRight)) missed.push(`${query}: ${first.join(' ')}`);
    }
    expect(missed).to.deep.equal([]);
  });

  it('is searched with the keyboard alone', async () => {
    const page = await open('/docs/using');
    await page.keyboard.press('/');
    await page.keyboard.type('dkim');
    await options(page).first().waitFor();
    const box = page.getByRole('combobox');
    const active = async (): Promise<string | null> => {
      const id = await box.getAttribute('aria-activedescendant');
      return page.locator(`#${id ?? 'none'}`).getAttribute('href');
    };
    const hrefs = await options(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(await active()).to.equal(hrefs[0]);
    await box.press('ArrowDown');
    expect(await active()).to.equal(hrefs[1]);
    await box.press('Enter');
    await page.waitForURL(`**${hrefs[1] ?? ''}`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zxqvkj');
    await page.getByText('No results.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No results.').waitFor({ state: 'hidden' });
  });

  it('opens no earlier result with an empty box, and finds words that are names of JavaScript too', async () => {
    const page = await open('/docs/using');
    const box = page.getByRole('combobox');
    await box.fill('dkim');
    await options(page).nth(1).waitFor();
    await box.press('ArrowDown');
    await box.fill('');
    await page.locator('#results').waitFor({ state: 'hidden' });
    await box.press('Enter');
    await box.fill('constructor');
    await page.locator('#found', { hasText: /result/i }).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/docs/using');
    expect(await page.locator('#found').textContent()).to.match(/^(?:No results\.|\d+ results?)/);
  });

  it('is read at an address that was cut inside an escape', async () => {
    const page = await open('/docs/using#%E2%80');
    await page.getByRole('heading', { level: 1, name: 'Using svc' }).waitFor();
    await page.getByRole('combobox').fill('dkim');
    await options(page).first().waitFor();
  });

  it('remembers the chosen form of examples on other pages, and copies what is shown', async () => {
    const page = await open('/docs/start', { permissions: ['clipboard-read', 'clipboard-write'] });
    const block = page.locator('.forms').first();
    await block.getByText('TypeScript', { exact: true }).click();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.contain('svc.email.send({');
    await page.goto(`${platform.running.address}/docs/reference/email#email.send`);
    const shown = page.locator('[id="email.send"] pre:visible').first();
    expect(await shown.textContent()).to.match(/^await svc\.email\.send\(/);
    await page.reload();
    expect(await shown.textContent()).to.match(/^await svc\.email\.send\(/);
    for (const [title, call] of [
      ['Python', /^svc\.sms\.send\(/],
      ['Go', /^in := svc\.SMSSendInput\{[^]*client\.SMS\.Send\(/],
    ] as const) {
      await page.goto(`${platform.running.address}/docs/reference/email#email.send`);
      await page.locator('[id="email.send"]').getByText(title, { exact: true }).click();
      await page.goto(`${platform.running.address}/docs/reference/sms#sms.send`);
      expect(await page.locator('[id="sms.send"] pre:visible').first().textContent()).to.match(call);
    }
  });

  it('leads an address of the reference from before to the operation', async () => {
    const page = await open('/reference#email.send');
    await page.waitForURL('**/docs/reference/email#email.send');
    const other = await open('/reference/auth#auth.passkey.list');
    await other.waitForURL('**/docs/reference/auth#auth.passkey.list');
    await other.getByRole('heading', { name: 'auth.passkey.list', exact: true }).waitFor();
  });

  it('can be read without JavaScript, with all forms of examples', async () => {
    const page = await open('/docs/reference/email', { javaScriptEnabled: false });
    expect(await page.getByRole('combobox').isVisible()).to.equal(false);
    const first = page.locator('[id="email.send"]');
    await first.getByText('CLI', { exact: true }).click();
    expect(await first.locator('pre:visible').first().textContent()).to.match(/^svc email send/);
    await page.getByRole('navigation').getByRole('link', { name: 'Billing' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    await page.getByRole('contentinfo').getByRole('link', { name: /^Next/ }).click();
    await page.getByRole('heading', { level: 1, name: 'The interface' }).waitFor();
  });

  it('is readable and operable on a phone', async () => {
    for (const path of ['/docs', '/docs/using', '/docs/reference/email', '/docs/errors', '/docs/settings']) {
      const page = await open(path, phone);
      const found = await page.evaluate(() => {
        const targets = [
          ...document.querySelectorAll('button, header input, .forms label, .names a, .turn a, aside summary'),
        ];
        return {
          small: targets
            .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 35.5)
            .map(({ outerHTML }) => outerHTML.slice(0, 100)),
          sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        };
      });
      expect(found, path).to.deep.equal({ small: [], sideways: false });
      await page.getByRole('button', { name: 'Contents' }).click();
      const links = page.getByRole('navigation').getByRole('link');
      for (const link of (await links.all()).slice(0, 12))
        expect((await link.boundingBox())?.height, path).to.be.at.least(43.5);
      await page.close();
    }
    const page = await open('/docs', phone);
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
    await page.getByRole('combobox').fill('passkey');
    await options(page).first().waitFor();
    const width = (await page.locator('#results').boundingBox())?.width ?? 0;
    expect(width).to.be.at.most(360);
  });

  it('has sufficient contrast, landmarks and names in light and dark', async () => {
    const page = await open('/docs', { bypassCSP: true });
    for (const path of ['/docs', '/docs/billing', '/docs/errors/contact_conflict', '/docs/reference']) {
      await page.goto(`${platform.running.address}${path}`);
      await expectGoodLooks(page, `docs${path.replaceAll('/', '-')}`, ['light', 'phone-dark']);
    }
    await page.getByRole('combobox').fill('webhook');
    await options(page).first().waitFor();
    await expectGoodLooks(page, 'docs-search', ['light']);
  });
});
