import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import type { TestAccount } from '#test/support/platform.js';
import { accountPage, enrolmentIn, inside } from './inside.js';
import type { Shown, Visitor } from './visitor.js';

describe('The page with new recovery codes', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const chromium = useBrowser();

  /** Sets an authenticator app up, up to its recovery codes. */
  async function enrolled(account: TestAccount, email: string): Promise<{ browser: Visitor; shown: Shown }> {
    const browser = await inside(test, account, email);
    const { factorId, code } = enrolmentIn(test, await browser.submit(accountPage(account), { do: 'enrol' }));
    const shown = await browser.submit(accountPage(account), { do: 'activate', factorId, code });
    return { browser, shown };
  }
  const codesIn = (text: string): string[] => text.match(/\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/g) ?? [];

  it('offers them as a text file, whose address does not contain them and which no cache keeps', async () => {
    const account = await platform.account();
    const { browser, shown } = await enrolled(account, 'file@example.com');
    const codes = codesIn(shown.text);
    expect(codes).to.have.length(10);
    const href = /href="([^"]+)"[^>]*download/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(href).to.equal('?step=recovery&download=true');
    const file = await browser.get(accountPage(account) + href);
    expect(file.headers.get('Content-Type')).to.equal('text/plain; charset=utf-8');
    expect(file.headers.get('Content-Disposition')).to.equal('attachment; filename="recovery-codes.txt"');
    expect(file.headers.get('Cache-Control')).to.equal('no-store');
    expect(file.text).to.match(/^.+ recovery codes for file@example\.com/);
    expect(codesIn(file.text)).to.deep.equal(codes);
    await browser.submit(shown.path, { do: 'codes-kept' });
    expect(codesIn((await browser.open(accountPage(account) + href)).text)).to.deep.equal([]);
  });

  /** The page of `enrolled`, in Chromium. */
  async function openIn(page: Page, { cookies }: Visitor, path: string): Promise<void> {
    const url = platform.running.address.replace('127.0.0.1', 'localhost');
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
    await page.goto(url + path);
  }

  it('downloads and copies them in a browser under the page’s policy', async () => {
    const account = await platform.account();
    const { browser, shown } = await enrolled(account, 'copy@example.com');
    const codes = codesIn(shown.text);
    const page = await chromium.open({ locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] });
    await openIn(page, browser, shown.path);
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as a text file' }).click();
    const file = await started;
    expect(file.suggestedFilename()).to.equal('recovery-codes.txt');
    expect(codesIn(await readFile(await file.path(), 'utf8'))).to.deep.equal(codes);
    await page.getByRole('button', { name: 'Copy the codes' }).click();
    await page.getByRole('status').getByText('Codes copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(codes.join('\n'));
  });

  it('shows no button to copy with in a browser without scripts', async () => {
    const account = await platform.account();
    const { browser, shown } = await enrolled(account, 'plain@example.com');
    const page = await chromium.open({ locale: 'en-GB', javaScriptEnabled: false });
    await openIn(page, browser, shown.path);
    await page.getByRole('link', { name: 'Download as a text file' }).waitFor();
    expect(await page.getByRole('button', { name: 'Copy the codes' }).count()).to.equal(0);
  });
});
