import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import type { TestAccount } from '#test/support/platform.js';

describe('The looks of the hosted pages', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();

  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();
  const signin = ({ live }: TestAccount): string =>
    `${platform.running.address.replace('127.0.0.1', 'localhost')}/auth/${live.id}/signin`;

  async function signUp(page: Page, account: TestAccount, email: string): Promise<void> {
    await page.goto(signin(account));
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Email me a code');
    await page.getByLabel('Code').fill(await test.codeTo(email));
    await press(page, 'Sign in');
    await page.getByText('Signed in as').waitFor();
  }

  it('tell errors from what was done by more than colour, in light and dark', async () => {
    const account = await platform.account();
    const page = await browser.open({ locale: 'en-GB' });
    await signUp(page, account, 'looks@example.com');
    const boxOf = async (role: 'alert' | 'status'): Promise<{ colour: string; width: string }> => {
      const style = await page
        .getByRole(role)
        .evaluate((box) => [getComputedStyle(box).borderTopColor, getComputedStyle(box).borderLeftWidth]);
      return { colour: style[0] ?? '', width: style[1] ?? '' };
    };
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await press(page, 'Save');
      const done = await boxOf('status');
      await page.getByText('Add an address', { exact: true }).first().click();
      await page.getByLabel('New email address').fill('looks@example.com');
      await press(page, 'Continue');
      const wrong = await boxOf('alert');
      expect(wrong.colour).not.to.equal(done.colour);
      expect(Number.parseFloat(wrong.width)).to.be.greaterThan(2 * Number.parseFloat(done.width));
      const field = page.getByLabel('New email address');
      expect(await field.evaluate((input) => getComputedStyle(input).borderTopColor)).to.equal(wrong.colour);
    }
  });

  it('say without scripts what to do instead of using a passkey, and show no button that does nothing', async () => {
    const account = await platform.account();
    const page = await browser.open({ locale: 'en-GB', javaScriptEnabled: false });
    await signUp(page, account, 'no-script@example.com');
    await press(page, 'Add a passkey');
    await page.getByText('Adding a passkey requires JavaScript').waitFor();
    expect(await page.getByRole('button').count()).to.equal(0);
    await page.goto(signin(account));
    await press(page, 'Sign in with a passkey');
    await page.getByText('Passkeys need JavaScript, which is turned off in this browser.').waitFor();
    expect(await page.getByRole('button').count()).to.equal(0);
    await page.getByRole('link', { name: 'Sign in another way' }).click();
    await page.getByLabel('Email address').waitFor();
  });
});
