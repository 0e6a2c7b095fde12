import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { deliver, numberOf } from '#test/sms/inbound/support.js';
import { register } from '#test/sms/support.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import type { TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startTwilio, type TestTwilio } from '#test/support/twilio.js';
import { useConsole } from './support.js';

const hostile = "<img src=x onerror=\"document['title']='ow'+'ned'\">{{ secret }}";
const [ada, bob, eve] = ['+4915123456789', '+4915123456790', '+4915123456791'] as const;

describe('The console, for texts', function () {
  needProducts('sms', 'audience');
  this.timeout(180_000);
  const parts: { twilio?: TestTwilio } = {};
  const test = useConsole({
    async settings() {
      parts.twilio = await startTwilio({ now: () => test.platform.clock.now() });
      return { SVC_SMS_URL: parts.twilio.smsUrl, SVC_SMS_ALLOWED_COUNTRIES: 'US,DE' };
    },
  });
  const { platform } = test;
  after(() => parts.twilio?.close());
  const twilio = (): TestTwilio => {
    if (!parts.twilio) throw new Error('Twilio does not run yet.');
    return parts.twilio;
  };
  const write = async (from: string, to: string, body: string): Promise<void> => {
    await deliver({ twilio: twilio(), platform }, { from, to, body });
    platform.clock.advance(60_000);
    await platform.settled();
  };

  /** Ada asks something and Bob opts out; Eve got an answer. */
  async function inbox(): Promise<TestAccount & { number: string }> {
    const account = await platform.account();
    const { svc } = account;
    await register(platform, account.live, 'active');
    const { number } = await numberOf(account);
    await svc.call('audience.contact.upsert', { phone: ada, firstName: 'Ada', lastName: hostile });
    await write(eve, number, 'Are you open on Sunday?');
    await svc.call('sms.send', { to: eve, body: 'Yes, from ten.' });
    await platform.settled();
    platform.clock.advance(60_000);
    await write(ada, number, `Where is my order? ${hostile}`);
    await write(bob, number, 'STOP');
    return { ...account, number };
  }

  it('support answers a text: unanswered ones come first, the reply arrives as it was typed', async () => {
    const account = await inbox();
    const page = await test.open(account, 'sms/conversation');
    await page.getByRole('row').nth(1).getByText('Unanswered').waitFor();
    expect(await page.getByRole('row').allInnerTexts()).to.satisfy(
      ([, first, second, third]: string[]) =>
        /Ada .*Where is my order/s.test(first ?? '') &&
        /STOP.*Opted out/s.test(second ?? '') &&
        /You: Yes/.test(third ?? ''),
    );
    await page.getByRole('tab', { name: 'Unanswered' }).click();
    await page
      .getByRole('row', { name: /Where is my order/ })
      .getByRole('link')
      .focus();
    await page.keyboard.press('Enter');

    await page.getByRole('log').getByText(`Where is my order? ${hostile}`).waitFor();
    await page.getByRole('link', { name: 'Show the person' }).waitFor();
    const before = twilio().texts.length;
    await page.getByLabel('Reply').fill('It left today, {{ Ada }}… – €');
    await page.getByText(/1 segment, 29 characters \(UCS-2\).*… –/).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Text accepted.').waitFor();
    await platform.settled();
    await page.getByRole('log').getByText('It left today, {{ Ada }}… – €').waitFor();
    expect(await page.getByLabel('Reply').inputValue()).to.equal('');
    expect(
      twilio()
        .texts.slice(before)
        .map(({ to, body }) => [to, body]),
    ).to.deep.equal([[ada, 'It left today, {{ Ada }}… – €']]);

    // Their answer appears without a click, and the conversation is no longer unanswered.
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page
      .getByRole('row', { name: /You: It left today/ })
      .getByText('Answered')
      .waitFor();
    expect(await page.title()).to.not.contain('owned');
    expect(test.complaints).to.deep.equal([]);
  });

  it('does not text somebody who has opted out, and says why; a viewer cannot reply', async () => {
    const account = await inbox();
    const page = await test.open(account, '');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('0049 151/23456790');
    await page.getByRole('option', { name: `Conversation with ${bob}` }).click();
    await page.getByRole('log').getByText('STOP: opted out').waitFor();
    const send = page.getByRole('button', { name: /^Send text/ });
    await page
      .getByText(/They opted out with STOP on .* Only they can undo it/)
      .first()
      .waitFor();
    expect(await send.getAttribute('aria-disabled')).to.equal('true');

    await write(bob, account.number, 'START');
    await page.getByRole('log').getByText('START: opted in again').waitFor();
    await page.locator('.reply .notice').waitFor({ state: 'detached' });
    expect(await send.getAttribute('aria-disabled')).to.equal(null);

    const email = `viewer-${account.accountId}@example.com`;
    await account.svc.call('account.member.invite', { email, role: 'viewer' });
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.run("UPDATE account_member SET status = 'active', proven_at = created_at WHERE email = ?", [email]);
    });
    const viewer = await test.open(account, `sms/conversation/${encodeURIComponent(ada)}`, { email });
    await viewer
      .getByText(/Needs the permission sms:write.*viewer/)
      .first()
      .waitFor();
    expect(test.complaints).to.deep.equal([]);
  });

  it('says in the conversation why a text did not arrive', async () => {
    const account = await platform.account();
    await account.svcTest.call('sms.send', { to: '+15005550002', body: 'Hello' });
    await account.svcTest.call('sms.send', { to: ada, body: 'Hello' });
    await platform.settled();
    const page = await test.open(account, 'sms/conversation', { side: 'test' });
    await page.getByLabel('Phone number').fill('+1 (500) 555-0002');
    await page.getByRole('button', { name: 'Open conversation' }).click();
    await page.getByRole('log').getByText('30005: A test number that cannot be reached.').waitFor();
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByLabel('Phone number').fill(ada);
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Suppressed').waitFor();
    await page.getByRole('log').getByText('Test environment').waitFor();
    expect(test.complaints).to.deep.equal([]);
  });

  it('says what releasing a number does, and lets the default one go only after another is the default', async () => {
    const account = await platform.account();
    await register(platform, account.live, 'active');
    const [first, second] = [await numberOf(account), await numberOf(account)];
    const page = await test.open(account, 'sms/number');
    const rowOf = ({ number }: { number: string }) => page.getByRole('listitem').filter({ hasText: number });
    await rowOf(first).getByText('Ready').waitFor();
    expect(
      await rowOf(first)
        .getByRole('button', { name: /^Release number/ })
        .getAttribute('title'),
    ).to.match(/default/);
    await rowOf(second).getByRole('button', { name: 'Make default' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Texts that are already waiting keep their number/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Make default' }).click();
    await rowOf(second).getByText('All texts are sent from it.').waitFor();
    await rowOf(first).getByRole('button', { name: 'Release number' }).click();
    await page.getByRole('dialog').getByText('you may not get it back').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Release number' }).click();
    await rowOf(first).waitFor({ state: 'detached' });
    const { numbers } = await account.svc.call('sms.number.list', {});
    expect(numbers.map(({ number, default: isDefault }) => [number, isDefault])).to.deep.equal([[second.number, true]]);

    await page.getByRole('button', { name: 'Buy number' }).first().click();
    await page.getByRole('dialog').getByText('The rent is metered now and then every month').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Buy number' }).click();
    await page.getByText('Number assigned.').waitFor();
    expect((await account.svc.call('sms.number.list', {})).numbers).to.have.length(2);
    expect(test.complaints).to.deep.equal([]);
  });

  it('corrects a registration that the carriers refused, with what was submitted before', async () => {
    const account = await platform.account();
    await register(platform, account.live, 'failed');
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.run('UPDATE sms_registration SET problems = ? WHERE environment_id = ?', [
        JSON.stringify([{ code: '30886', message: `Opt-in unclear ${hostile}`, fix: 'Name the page.' }]),
        idBytes(account.live.id),
      ]);
    });
    const page = await test.open(account, 'sms/registration', { bypassCSP: true });
    await page.getByText('The carriers refused it. No texts are sent').waitFor();
    await page.getByText(`Opt-in unclear ${hostile}`).waitFor();
    expect(await page.getByLabel(/^Legal name/).inputValue()).to.equal('Acme GmbH');
    await expectGoodLooks(page, 'console-registration-failed');
    await page.setViewportSize({ width: 1360, height: 850 });
    await page.getByLabel(/^Tax ID/).fill('123456789');
    await page
      .getByLabel(/^Country/)
      .first()
      .fill('US');
    await page.getByRole('button', { name: 'Submit it again' }).click();
    await page
      .getByText(/Texts are sent\.|What was submitted/)
      .first()
      .waitFor();
    const { registration } = await account.svc.call('sms.registration.get', {});
    expect(registration?.stage).to.be.oneOf(['submitted', 'registering', 'active']);
    expect(await page.title()).to.not.contain('owned');
  });

  it('is accessible and fits phones', async () => {
    const account = await inbox();
    await account.svc.call('sms.send', { to: ada, body: `Dear customer ${hostile.replace('{{ secret }}', '')}` });
    await platform.settled();
    const screens = {
      conversations: 'sms/conversation',
      conversation: `sms/conversation/${encodeURIComponent(ada)}`,
      'conversation-stopped': `sms/conversation/${encodeURIComponent(bob)}`,
      numbers: 'sms/number',
      registration: 'sms/registration',
    };
    for (const [name, path] of Object.entries(screens)) {
      const page = await test.open(account, path, { bypassCSP: true });
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      await expectGoodLooks(page, `console-${name}`);
      expect(await page.title()).to.not.contain('owned');
      await page.close();
    }
  });
});
