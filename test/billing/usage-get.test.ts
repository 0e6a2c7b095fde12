import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { useMail } from '#test/email/support.js';
import { publish, publisher, reached, sendBroadcast, shown, subscribe } from '#test/email/broadcast/support.js';
import { eventually } from '#test/support/eventually.js';
import { itNeeding } from '#test/support/products.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { callsWith, mail, rollUp, usageOf } from './metering-support.js';
import { closeMonths, endMonth } from './support.js';

describe('billing.usage.get', () => {
  const mails = useMail({
    settings: usePrices([
      {
        meter: 'email.message',
        tiers: [
          [2, '0'],
          [null, '0.01'],
        ],
      },
      flat('email.broadcast_message', '0.002'),
    ]),
  });
  const { platform } = mails;
  const dearer = usePrices([flat('email.message', '7')]);

  it('shows what was accepted with the answer, priced by tier, and the same once it is rolled up', async () => {
    const { svc } = await platform.account();
    for (let count = 0; count < 3; count += 1) await svc.call('email.send', mail());
    await svc.call('email.batch.send', { messages: [mail(), mail('grace@example.com')] });
    expect(await usageOf(svc)).to.deep.equal(['email.message 5 0.03']);
    expect(await rollUp(platform)).to.be.above(0);
    expect(await usageOf(svc)).to.deep.equal(['email.message 5 0.03']);
    expect(await platform.count('billing_usage', 'is_rolled_up = 0')).to.equal(0);
    const { total } = await svc.call('billing.usage.get', {});
    expect(total).to.deep.equal({ currency: 'USD', amount: '0.03' });
  });

  it('counts a mail once, however many recipients it has', async () => {
    const { svc } = await platform.account();
    const to = ['ada@example.com', 'grace@example.com', 'edith@example.com'];
    await svc.call('email.send', { ...mail(), to, cc: ['joan@example.com'] });
    expect(await usageOf(svc)).to.deep.equal(['email.message 1 0.00']);
  });

  itNeeding('audience')('counts mails of automations as single messages', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'Welcome', text: 'Hello' } }, { name: 'welcome' });
    const [contactId = ''] = await subscribe(sender, ['ada@example.com']);
    const { automation } = await svc.call('email.automation.create', {
      name: 'Welcome',
      triggerEvent: 'signed_up',
      steps: [{ type: 'send', template: 'welcome', topic: 'news', from: sender.from }],
    });
    await svc.call('email.automation.activate', { automationId: automation.id });
    await svc.call('audience.event.record', { contactId, name: 'signed_up' });
    await platform.settled();
    expect(await usageOf(svc)).to.deep.equal(['email.message 1 0.00']);
  });

  it('counts test environments apart, at no charge', async () => {
    const { svc, svcTest, ownerEmail } = await platform.account();
    await svcTest.call('email.send', mail(ownerEmail));
    await svc.call('email.send', mail());
    expect(await usageOf(svc)).to.deep.equal(['email.message 1 0.00', 'test email.message 1 0.00']);
    const { rows } = await svcTest.call('billing.usage.get', {});
    expect(rows, 'the account’s, whichever environment asks').to.have.length(2);
  });

  it('breaks usage down by project and day; the rows of all projects add up to the price of the month', async () => {
    const { svc, projectId } = await platform.account();
    const { project, keys } = await svc.call('account.project.create', { name: 'Second' });
    const other = callsWith(platform, keys.live?.secret ?? '');
    for (let count = 0; count < 2; count += 1) await svc.call('email.send', mail());
    for (let count = 0; count < 2; count += 1) await other.call('email.send', mail());
    platform.clock.advance(86_400_000);
    await other.call('email.send', mail());
    const [today, yesterday] = [0, 86_400_000].map((ago) =>
      new Date(platform.clock.now().getTime() - ago).toISOString().slice(0, 10),
    );
    const { rows, total } = await svc.call('billing.usage.get', { by: 'project' });
    expect(rows.map(({ project: of, quantity }) => [of?.id, quantity])).to.have.deep.members([
      [projectId, 2],
      [project.id, 3],
    ]);
    expect(total.amount).to.equal('0.03');
    expect(rows.reduce((sum, { amount }) => sum + Number(amount.amount) * 100, 0)).to.equal(3);
    expect(await usageOf(svc, { by: 'day' })).to.deep.equal([
      `${yesterday ?? ''} email.message 4 0.02`,
      `${today ?? ''} email.message 1 0.01`,
    ]);
    const one = await svc.call('billing.usage.get', { projectId });
    expect(one.rows.map(({ quantity }) => quantity)).to.deep.equal([2]);
  });

  it('keeps each account to itself, and refuses a project that is not the account’s', async () => {
    const { svc } = await platform.account();
    const stranger = await platform.account();
    await stranger.svc.call('email.send', mail());
    expect(await usageOf(svc)).to.deep.equal([]);
    for (const projectId of [randomUUID(), stranger.projectId]) {
      const refusal = await svc.refusal('billing.usage.get', { projectId });
      expect(refusal).to.include({ code: 'not_found', status: 404 });
    }
  });

  itNeeding('audience')(
    'gives back what ends without having been submitted: cancelled, suppressed at submission, cancelled with its broadcast',
    async () => {
      const sender = await publisher(platform);
      const { svc } = sender;
      const sendAfter = new Date(platform.clock.now().getTime() + 3_600_000).toISOString();
      const { messageId } = await svc.call('email.send', { ...mail(), sendAfter });
      await svc.call('email.send', { ...mail('later@example.com'), sendAfter });
      expect(await usageOf(svc)).to.deep.equal(['email.message 2 0.00']);
      await svc.call('email.message.cancel', { messageId });
      await svc.call('email.message.cancel', { messageId });
      expect(await usageOf(svc)).to.deep.equal(['email.message 1 0.00']);
      await svc.call('audience.suppression.add', { email: 'later@example.com' });
      platform.clock.advance(3_600_001);
      await platform.settled();
      expect(await usageOf(svc)).to.deep.equal(['email.message 0 0.00']);

      await subscribe(sender, ['a@example.com', 'b@example.com', 'c@example.com']);
      await publish(sender, { en: { subject: 'News', html: '<p>News</p>' } });
      const sent = await sendBroadcast(sender);
      await reached(sender, sent, 'sent');
      expect(await usageOf(svc)).to.include('email.broadcast_message 3 0.006');
      // Made, and answered with “try again later”.
      mails.smtp.onMessage = () => ({ code: 451, message: '4.3.0 later' });
      const broadcastId = await sendBroadcast(sender);
      await eventually(async () => {
        const { counts } = await shown(sender, broadcastId);
        return counts?.recipients === 3 && counts.sending === 0 && counts.queued === 3;
      }, 'its messages wait');
      expect(await usageOf(svc)).to.include('email.broadcast_message 6 0.012');
      await svc.call('email.broadcast.cancel', { broadcastId });
      await platform.settled();
      mails.smtp.onMessage = () => null;
      expect(await usageOf(svc)).to.include('email.broadcast_message 3 0.006');
      // What was taken is charged, and so is what bounces later; what the server refuses for good is not.
      mails.smtp.onRecipient = () => ({ code: 550, message: '5.1.1 no such user' });
      await svc.call('email.send', mail('nobody@example.com'));
      expect(await usageOf(svc)).to.include('email.message 1 0.00');
      await platform.settled();
      mails.smtp.onRecipient = () => null;
      expect(await usageOf(svc)).to.include('email.message 0 0.00');
    },
  );

  it('gives back nothing of what was accepted while billing was not enabled, and all of what was accepted since', async () => {
    const { svc } = await platform.account();
    const later = { ...mail(), sendAfter: new Date(platform.clock.now().getTime() + 3_600_000).toISOString() };
    const cancel = async (messageIds: readonly string[]): Promise<void> => {
      for (const messageId of messageIds) await svc.call('email.message.cancel', { messageId });
    };
    const products = 'account,audience,auth,developers,email,sms';
    await platform.restart({ SVC_PRODUCTS: products });
    const before = [await svc.call('email.send', later), await svc.call('email.send', later)];
    await platform.restart({ SVC_PRODUCTS: `${products},billing` });
    const since = await svc.call('email.send', later);
    expect(await usageOf(svc)).to.deep.equal(['email.message 1 0.00']);
    await cancel(before.map(({ messageId }) => messageId));
    expect(await usageOf(svc)).to.deep.equal(['email.message 1 0.00']);
    await cancel([since.messageId]);
    expect(await usageOf(svc)).to.deep.equal(['email.message 0 0.00']);
  });

  it('charges usage of a month that was closed meanwhile in the next one that is open', async () => {
    const { svc, accountId } = await platform.account();
    await svc.call('email.send', mail());
    const period = platform.clock.now().toISOString().slice(0, 7);
    await platform.running.services.database.run(
      `INSERT INTO billing_month (account_id, period, spent, fees, reserved, closed_at) VALUES (?, ?, 0, 0, 0, NOW(3))`,
      [Buffer.from(accountId.replaceAll('-', ''), 'hex'), Buffer.from(period)],
    );
    await rollUp(platform);
    expect(await usageOf(svc)).to.deep.equal([]);
    const next = new Date(`${period}-15T00:00:00Z`);
    next.setUTCMonth(next.getUTCMonth() + 1);
    expect(await usageOf(svc, { period: next.toISOString().slice(0, 7) })).to.deep.equal(['email.message 1 0.00']);
  });

  it('shows a closed month at the prices of its invoice, whatever the prices file says now', async () => {
    const { svc } = await platform.account();
    for (let count = 0; count < 5; count += 1) await svc.call('email.send', mail());
    const period = endMonth(platform);
    await closeMonths(platform);
    const { invoice } = await svc.call('billing.invoice.get', { period });
    expect(invoice.subtotal).to.equal('0.03');
    await platform.restart(await dearer());
    expect(await usageOf(svc, { period })).to.deep.equal(['email.message 5 0.03']);
    const { total } = await svc.call('billing.usage.get', { period, by: 'project' });
    expect(total.amount).to.equal(invoice.subtotal);
    // The present month is open: the prices file decides.
    await svc.call('email.send', mail());
    expect(await usageOf(svc)).to.deep.equal(['email.message 1 7.00']);
  });
});
