import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import { eventually } from '#test/support/eventually.js';

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
    // A slow connection: the form has left, and its answer is not there when the button is clicked again.
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 1_000, downloadThroughput: -1, uploadThroughput: -1 };
    await session.send('Network.emulateNetworkConditions', slow);
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') posts += 1;
    });
    const { x = 0, y = 0 } = (await page.getByRole('button', { name: 'Sign in' }).boundingBox()) ?? {};
    await page.mouse.click(x + 10, y + 10);
    await eventually(() => posts === 1, 'the form has left');
    await page.mouse.click(x + 10, y + 10);
    await page.getByText('Signed in as').waitFor();
    expect(posts).to.equal(1);
  });
});
