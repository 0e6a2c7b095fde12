import { expect } from 'chai';
import { days, hours } from '#test/support/clock.js';
import { draft, publish, publisherOf, shown, subscribe } from '#test/email/broadcast/support.js';
import { activeAutomation, linesOf, readyToSend, runOf, signUp } from '#test/email/automation/support.js';
import * as texts from '#test/sms/broadcast/support.js';
import { eventually } from '#test/support/eventually.js';
import { ownRecords } from '#test/support/own-records.js';
import { itNeeding } from '#test/support/products.js';
import { addCard, issueInvoice, useStripe } from './support.js';

describe('An account that is past due', () => {
  const { platform, stripe } = useStripe({ SVC_SMS_REGISTRATION: 'not_required', SVC_SMS_FROM: '+12125550100' });

  itNeeding('audience', 'email')(
    'has its broadcasts held and refused until the invoice is paid; single messages and test environments go on',
    async () => {
      const account = await platform.account();
      await addCard(account, stripe(), '4000000000000341');
      const sender = await publisherOf(account);
      await publish(sender, { en: { subject: 'News', text: 'Hello' } });
      await subscribe(sender, ['ada@example.com']);
      const { svc, live } = sender;
      const create = async (name: string, scheduledAt?: string): Promise<string> => {
        const given = scheduledAt === undefined ? { name } : { name, scheduledAt };
        return (await svc.call('email.broadcast.create', draft(sender, given))).broadcast.id;
      };
      const in120Days = new Date(platform.clock.now().getTime() + days(120)).toISOString();
      const scheduled = await create('Scheduled', in120Days);
      await svc.call('email.broadcast.send', { broadcastId: scheduled });
      const paused = await create('Paused', in120Days);
      await svc.call('email.broadcast.send', { broadcastId: paused });
      const waiting = await create('Draft');
      const period = await issueInvoice(platform, account);
      for (let day = 0; day < 22; day += 1) {
        platform.clock.advance(days(1));
        await platform.settled();
      }
      expect((await svc.call('billing.get', {})).standing).to.equal('past_due');
      expect(await shown(sender, scheduled)).to.deep.include({ status: 'held', holdReason: 'past_due' });
      for (const [name, broadcastId] of [
        ['send', waiting],
        ['resume', scheduled],
      ] as const)
        expect(await svc.refusal(`email.broadcast.${name}`, { broadcastId })).to.include({
          status: 402,
          code: 'billing_past_due',
        });
      const { activityId } = await svc.envelope('email.broadcast.pause', { broadcastId: paused });
      const { activity } = await svc.call('account.activity.get', { activityId });
      expect(activity.changes).to.deep.equal([{ field: 'holdReason', from: 'past_due', to: 'paused' }]);
      const single = await svc.call('email.send', { to: 'ada@example.com', subject: 'Receipt', text: 'Thanks.' });
      await platform.settled();
      expect((await svc.call('email.message.get', { messageId: single.messageId })).message.status).to.equal('sent');
      stripe().behave('succeeds');
      expect((await svc.call('billing.invoice.pay', { period })).invoice.status).to.equal('paid');
      expect((await svc.call('billing.get', {})).standing).to.equal('good');
      expect(await shown(sender, scheduled)).to.deep.include({ status: 'scheduled', holdReason: null });
      expect(await shown(sender, paused), 'somebody paused it').to.deep.include({
        status: 'held',
        holdReason: 'paused',
      });
      for (const time of ['first', 'second']) {
        const { broadcast, resumedMessages } = await svc.call('email.broadcast.resume', { broadcastId: paused });
        expect([broadcast.status, broadcast.scheduledAt, resumedMessages], time).to.deep.equal([
          'scheduled',
          in120Days,
          0,
        ]);
        await platform.settled();
      }
      expect(await shown(sender, paused), 'its time has not come').to.deep.include({ status: 'scheduled' });
      await svc.call('email.broadcast.send', { broadcastId: waiting });
      platform.clock.advance(days(120) + hours(1));
      await platform.settled();
      for (const broadcastId of [scheduled, paused])
        expect(await shown(sender, broadcastId)).to.include({ status: 'sent' });
      expect(await ownRecords(svc, paused)).to.deep.equal(['email.broadcast.pause status=held holdReason=past_due']);
      expect(await ownRecords(svc, scheduled)).to.deep.equal([
        'email.broadcast.resume status=scheduled holdReason=null',
        'email.broadcast.pause status=held holdReason=past_due',
      ]);
      const names = (await platform.events(live))
        .map(({ type }) => type)
        .filter((type) => /broadcast\.(paused|resumed)/.test(type));
      expect(names).to.deep.equal([
        'email.broadcast.paused',
        'email.broadcast.paused',
        'email.broadcast.resumed',
        'email.broadcast.resumed',
      ]);
    },
  );

  itNeeding('audience', 'sms')('has its broadcasts of texts held too; single texts go on', async () => {
    const account = await texts.texter(platform);
    const { svc } = account;
    await addCard(account, stripe(), '4000000000000341');
    stripe().behave('declines');
    await texts.subscribe(account, [texts.mobile(1)]);
    const scheduledAt = new Date(platform.clock.now().getTime() + days(120)).toISOString();
    const scheduled = await texts.sendBroadcast(account, { scheduledAt });
    const { broadcast: waiting } = await svc.call('sms.broadcast.create', texts.draft());
    const period = await issueInvoice(platform, account);
    for (let day = 0; day < 22; day += 1) {
      platform.clock.advance(days(1));
      await platform.settled();
    }
    expect((await svc.call('billing.get', {})).standing).to.equal('past_due');
    expect(await texts.shown(account, scheduled)).to.deep.include({ status: 'held', holdReason: 'past_due' });
    expect(await ownRecords(svc, scheduled)).to.deep.equal(['sms.broadcast.pause status=held holdReason=past_due']);
    for (const [operation, broadcastId] of [
      ['sms.broadcast.send', waiting.id],
      ['sms.broadcast.resume', scheduled],
    ] as const)
      expect((await svc.refusal(operation, { broadcastId })).code, operation).to.equal('billing_past_due');
    const { messageId } = await svc.call('sms.send', { to: texts.mobile(1), body: 'Your table is ready.' });
    await platform.settled();
    expect((await svc.call('sms.message.get', { messageId })).message.status).to.equal('sent');
    stripe().behave('succeeds');
    await svc.call('billing.invoice.pay', { period });
    expect(await texts.shown(account, scheduled)).to.deep.include({ status: 'scheduled', holdReason: null });
    platform.clock.advance(days(120) + hours(1));
    await texts.reached(account, scheduled, 'sent');
  });

  itNeeding(
    'audience',
    'email',
    'sms',
  )('has automations that go on, by mail and by text', async () => {
    const account = await texts.texter(platform);
    const { svc } = account;
    await addCard(account, stripe(), '4000000000000341');
    stripe().behave('declines');
    const mailStep = await readyToSend(platform, account);
    const textStep = { type: 'send', channel: 'sms', template: 'sale', topic: 'offers' };
    const consents = [
      { topic: 'news', channel: 'email' as const, source: 'form' },
      { topic: 'offers', channel: 'sms' as const, source: 'form' },
    ];
    const facts = { email: 'ada@example.com', phone: texts.mobile(2), consents };
    const { contact } = await svc.call('audience.contact.upsert', facts);
    const { id: automationId } = await activeAutomation(svc, { steps: [mailStep, textStep] });
    await issueInvoice(platform, account);
    for (let day = 0; day < 22; day += 1) {
      platform.clock.advance(days(1));
      await platform.settled();
    }
    expect((await svc.call('billing.get', {})).standing).to.equal('past_due');
    await signUp(svc, contact.id);
    await eventually(async () => (await runOf(svc, automationId)).run.endedAt !== null, 'the run has ended');
    expect(linesOf(await runOf(svc, automationId))).to.deep.equal(['steps[0] send sent', 'steps[1] send sent']);
  });
});
