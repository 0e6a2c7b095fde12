import { expect } from 'chai';
import { addMember } from '#test/account/support.js';
import { publish, publisher, reached, sendBroadcast, shown, subscribe } from '#test/email/broadcast/support.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { useConsole } from './support.js';

const hostile = '<img src=x onerror="document.title=1">';
const hour = 3_600_000;

describe('The console, a broadcast that was sent', function () {
  needProducts('email', 'audience');
  this.timeout(180_000);
  const mail: { smtp?: SmtpReceiver } = {};
  const test = useConsole({
    async settings() {
      mail.smtp = await startSmtpReceiver();
      return { SVC_SMTP_URL: `smtp://127.0.0.1:${mail.smtp.port}` };
    },
  });
  const { platform } = test;
  after(() => mail.smtp?.close());

  async function letter() {
    const sender = await publisher(platform);
    await subscribe(sender, ['ada@example.com', 'gone@example.com'], { firstName: hostile });
    await publish(sender, { en: { subject: 'The frost', html: '<p>Dear {{ contact.firstName }}, it is cold.</p>' } });
    return sender;
  }

  it('counts a refused address as a bounce, and shows what the others got', async () => {
    const sender = await letter();
    if (mail.smtp)
      mail.smtp.onRecipient = (address) =>
        address === 'gone@example.com' ? { code: 550, message: '5.1.1 no such user' } : null;
    const broadcastId = await sendBroadcast(sender, { name: `News ${hostile}` });
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.include({ sent: 1, failed: 1, refused: 1, bounced: 0 });

    const page = await test.open(sender, `email/broadcast/${broadcastId}`, { bypassCSP: true });
    await page.getByRole('row', { name: /Bounced: refused at once 1/ }).waitFor();
    expect(await page.getByText('Failed for other reasons').count()).to.equal(0);
    await page.getByText('As sent to ada@example.com').waitFor();
    await page.frameLocator('.paper iframe').getByText(`Dear ${hostile}`).waitFor();
    await expectGoodLooks(page, 'broadcast-result');
    await page.setViewportSize({ width: 1360, height: 850 });

    // Those who were left out: only somebody who has received nothing since.
    await subscribe(sender, ['late@example.com']);
    await page.getByRole('button', { name: 'Send to those who may get it now' }).click();
    await expectGoodLooks(page, 'broadcast-left-out', ['light', 'phone-dark']);
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByText('1 contact will receive it').waitFor();

    await page.goto(page.url().replace(/email\/broadcast.*/, `email/broadcast`));
    await page.getByText('1 bounced').waitFor();
    await page.goto(page.url().replace(/email\/broadcast.*/, ''));
    // One of three: the mail that signed the owner up was sent too.
    await page.getByRole('link', { name: /Bounces\s*33\.3%/ }).waitFor();
    expect(test.complaints.filter((line) => !line.includes('console/preview'))).to.deep.equal([]);
  });

  it('is duplicated, scheduled, moved and unscheduled', async () => {
    const sender = await letter();
    const scheduledAt = new Date(Date.now() + 48 * hour).toISOString();
    const broadcastId = await sendBroadcast(sender, { scheduledAt });
    const page = await test.open(sender, `email/broadcast/${broadcastId}`, { bypassCSP: true });
    await page.getByRole('button', { name: 'Change time' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change time' });
    await dialog.getByLabel('Time').fill('2001-01-01T10:00');
    await dialog.getByText('This time has passed').first().waitFor({ state: 'attached' });
    const later = new Date(Date.now() + 72 * hour).toISOString().slice(0, 16);
    await dialog.getByLabel('Time').fill(later);
    await expectGoodLooks(page, 'broadcast-time', ['dark', 'phone']);
    await page.setViewportSize({ width: 1360, height: 850 });
    await dialog.getByRole('button', { name: 'Change time' }).click();
    await page.getByText('Time changed.').waitFor();
    expect(await shown(sender, broadcastId)).to.include({ status: 'scheduled' });
    expect((await shown(sender, broadcastId)).scheduledAt).to.not.equal(scheduledAt);

    const { email } = await addMember(platform, sender, { role: 'viewer' });
    const viewer = await test.open(sender, `email/broadcast/${broadcastId}`, { email });
    for (const name of [/^Change time/, /^Unschedule/, /^Duplicate/])
      expect(await viewer.getByRole('button', { name }).getAttribute('aria-disabled')).to.equal('true');

    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { level: 1, name: 'Copy of November news' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Unschedule' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unschedule' }).click();
    await page.getByRole('button', { name: 'Continue to audience' }).waitFor();
    expect(await shown(sender, broadcastId)).to.include({ status: 'draft', scheduledAt: null });
    expect(test.complaints.filter((line) => !line.includes('console/preview'))).to.deep.equal([]);
  });
});
