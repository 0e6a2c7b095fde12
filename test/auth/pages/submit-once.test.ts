import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import { clickTwice } from './click-twice.js';

describe('A form of the sign-in pages that is clicked twice', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();

  it('is submitted once: the second click does not take the answer away that signs in', async () => {
    const { live } = await platform.account();
    const page = await browser.open({ locale: 'en-GB' });
    await page.goto(`${platform.running.address}/auth/${live.id}/signin`);
    await page.getByLabel('Email address').fill('twice@example.com');
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code').fill(await test.codeTo('twice@example.com'));
    const posts = await clickTwice(page, 'Sign in');
    await page.getByText('Signed in as').waitFor();
    expect(posts()).to.equal(1);
  });
});
