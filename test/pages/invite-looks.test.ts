import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { inviteTexts } from '#plugins/account/members/invite-texts/translations.js';
import { addMember } from '#test/account/support.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { expectGoodLooks } from '#test/support/page-looks.js';

const { accept, problems } = inviteTexts.en;

describe('How the invitation page looks', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();
  beforeEach(() => platform.clock.advance(minutes(11)));

  const open = async (token: string, options = {}): Promise<Page> => {
    const page = await browser.open({ bypassCSP: true, locale: 'en-GB', ...options });
    await page.goto(`${platform.running.address}/invite?token=${token}`);
    return page;
  };
  const invited = async (): Promise<{ token: string; email: string }> => {
    const token = `svc_iv_${randomToken(43)}`;
    const email = `ada-${randomToken(6).toLowerCase()}@example.com`;
    await addMember(platform, await platform.account(), { role: 'owner', status: 'invited', email, token });
    return { token, email };
  };

  it('submits a form that is clicked twice once', async () => {
    const { token } = await invited();
    const page = await open(token);
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') posts += 1;
    });
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 1_000, downloadThroughput: -1, uploadThroughput: -1 };
    await session.send('Network.emulateNetworkConditions', slow);
    const { x = 0, y = 0 } = (await page.getByRole('button', { name: accept.sendCode }).boundingBox()) ?? {};
    await page.mouse.click(x + 10, y + 10);
    await eventually(() => posts === 1, 'the form has left');
    await page.mouse.click(x + 10, y + 10);
    await page.getByLabel(accept.code).waitFor();
    expect(posts).to.equal(1);
  });

  it('at each step, and for links that no longer work', async () => {
    const { token, email } = await invited();
    const page = await open(token);
    await expectGoodLooks(page, 'invite');
    await page.getByRole('button', { name: accept.sendCode }).click();
    await page.getByLabel(accept.code).fill('000000');
    await expectGoodLooks(page, 'invite-code');
    await page.getByRole('button', { name: accept.button }).click();
    await page.getByRole('alert').waitFor();
    await expectGoodLooks(page, 'invite-wrong-code');
    await page.getByLabel(accept.code).fill(await test.codeTo(email));
    await page.getByRole('button', { name: accept.button }).click();
    await page.getByRole('heading', { name: accept.doneHeading }).waitFor();
    await expectGoodLooks(page, 'invite-done');
    await expectGoodLooks(await open(token), 'invite-accepted');
    const unknown = await open('unknown');
    await unknown.getByRole('heading', { name: problems.unknown.heading }).waitFor();
    await expectGoodLooks(unknown, 'invite-unknown');
  });

  it('with the keyboard alone and without scripts, and the command in a box of its own, in line with the text', async () => {
    const { token, email } = await invited();
    const page = await open(token, { javaScriptEnabled: false });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    // The field has the focus.
    await page.getByLabel(accept.code).waitFor();
    await page.keyboard.type(await test.codeTo(email));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: accept.doneHeading }).waitFor();
    const box = page.locator('.command');
    const [command, text] = [await box.boundingBox(), await page.getByRole('status').boundingBox()];
    expect(command?.x).to.equal(text?.x);
  });
});
