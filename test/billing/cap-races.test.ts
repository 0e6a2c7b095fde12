import { expect } from 'chai';
import { useMail } from '#test/email/support.js';
import { publish, publisher, reached, sendBroadcast, shown, subscribe } from '#test/email/broadcast/support.js';
import { hours } from '#test/support/clock.js';
import type { Api } from '#test/support/api.js';
import { itNeeding } from '#test/support/products.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { mail, rollUp, usageOf } from './metering-support.js';

describe('The spending cap', () => {
  const { platform } = useMail({
    settings: usePrices([
      {
        meter: 'email.message',
        tiers: [
          [200, '0.1'],
          [null, '0.2'],
        ],
      },
      flat('email.broadcast_message', '1'),
    ]),
  });

  it('is never crossed by ten callers of a hundred sends each on two nodes, and every unit of it can be spent', async () => {
    const { svc, live } = await platform.account();
    const other = await platform.account();
    // 200 at 0.1, then 100 at 0.2: the 301st does not fit.
    await svc.call('billing.cap.set', { amount: '40' });
    const node = await platform.secondNode();
    // Two keys, since one may call 600 times a minute.
    const { plaintext } = await svc.call('developers.key.create', { name: 'Second', permissions: ['email:write'] });
    const callers: Api[] = Array.from({ length: 10 }, (_, index) => (index % 2 ? svc : node.as(plaintext)));
    const answers = { accepted: 0, refused: 0 };
    const sent = new AbortController();
    const rollingUp = (async () => {
      while (!sent.signal.aborted) await rollUp(platform);
    })();
    await Promise.all(
      callers.map(async (caller) => {
        for (let count = 0; count < 100; count += 1) {
          const { status, text } = await caller.raw('/email/send', JSON.stringify(mail()));
          if (status === 200) answers.accepted += 1;
          else {
            expect(text).to.contain('"spending_cap_reached"');
            answers.refused += 1;
          }
        }
      }),
    );
    sent.abort();
    await rollingUp;
    expect(answers).to.deep.equal({ accepted: 300, refused: 700 });
    expect(await platform.count('email_message', `environment_id = x'${live.id.replaceAll('-', '')}'`)).to.equal(300);
    expect(await usageOf(svc)).to.deep.equal(['email.message 300 40.00']);
    const reached = (await platform.events(live)).filter(({ type }) => type === 'billing.cap.reached');
    expect(reached).to.have.length(1);
    // Another account is not concerned.
    await other.svc.call('email.send', mail());
    await node.stop();
  }).timeout(240_000);

  itNeeding('audience')('refuses a broadcast that would cross it before a message is made', async () => {
    const sender = await publisher(platform);
    const { svc, live } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['a@example.com', 'b@example.com', 'c@example.com']);
    await svc.call('billing.cap.set', { amount: '2' });
    const { broadcast } = await svc.call('email.broadcast.create', {
      name: 'News',
      template: 'news',
      topic: 'news',
      from: sender.from,
    });
    const refusal = await svc.refusal('email.broadcast.send', { broadcastId: broadcast.id });
    expect(refusal).to.include({ code: 'spending_cap_reached', status: 402 });
    expect(await shown(sender, broadcast.id)).to.include({ status: 'draft', counts: null });
    expect(await usageOf(svc)).to.deep.equal([]);
    const types = (await platform.events(live)).map(({ type }) => type);
    expect(types).to.include('billing.cap.reached').and.not.include('email.broadcast.queued');
    await svc.call('billing.cap.set', { amount: '3' });
    await svc.call('email.broadcast.send', { broadcastId: broadcast.id });
    await reached(sender, broadcast.id, 'sent');
    expect(await usageOf(svc)).to.deep.equal(['email.broadcast_message 3 3.00']);
  });

  itNeeding('audience')(
    'holds a scheduled broadcast that would cross it when its time comes, says why, and lets it go on when there is room',
    async () => {
      const sender = await publisher(platform);
      const { svc, live } = sender;
      await publish(sender, { en: { subject: 'News', text: 'Hello' } });
      await subscribe(sender, ['a@example.com', 'b@example.com']);
      await svc.call('billing.cap.set', { amount: '1' });
      const scheduledAt = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
      const broadcastId = await sendBroadcast(sender, { scheduledAt });
      platform.clock.advance(hours(1) + 1_000);
      await reached(sender, broadcastId, 'held');
      const { broadcast, readiness } = await svc.call('email.broadcast.get', { broadcastId });
      expect(broadcast.holdReason).to.equal('spending_cap');
      expect(readiness.problems.map(({ code }) => code)).to.deep.equal(['spending_cap_reached']);
      expect(readiness.problems[0]?.message).to.contain('2.00 USD').and.to.contain('1.00 USD');
      const types = (await platform.events(live)).map(({ type }) => type);
      expect(types).to.include('billing.cap.reached').and.to.include('email.broadcast.paused');
      expect(await usageOf(svc)).to.deep.equal([]);

      // Resumed without room, it is held again before a message is made.
      await svc.call('email.broadcast.resume', { broadcastId });
      await reached(sender, broadcastId, 'held');
      expect(await usageOf(svc)).to.deep.equal([]);
      await svc.call('billing.cap.set', { amount: '2' });
      expect((await svc.call('email.broadcast.get', { broadcastId })).readiness.ok).to.equal(true);
      await svc.call('email.broadcast.resume', { broadcastId });
      await reached(sender, broadcastId, 'sent');
      expect(await usageOf(svc)).to.deep.equal(['email.broadcast_message 2 2.00']);
    },
  );

  itNeeding('audience')('stops a step of an automation, which goes on without the mail', async () => {
    const sender = await publisher(platform);
    const { svc, live } = sender;
    await publish(sender, { en: { subject: 'Welcome', text: 'Hello' } }, { name: 'welcome' });
    const [contactId = ''] = await subscribe(sender, ['ada@example.com']);
    const { automation } = await svc.call('email.automation.create', {
      name: 'Welcome',
      triggerEvent: 'signed_up',
      steps: [{ type: 'send', template: 'welcome', topic: 'news', from: sender.from }],
    });
    await svc.call('email.automation.activate', { automationId: automation.id });
    await svc.call('billing.cap.set', { amount: '0' });
    await svc.call('audience.event.record', { contactId, name: 'signed_up' });
    await platform.settled();
    const suppressed = (await platform.events(live)).filter(({ type }) => type === 'email.automation.suppressed');
    expect(suppressed.map(({ data }) => data['reason'])).to.deep.equal(['spending_cap_reached']);
    const { runs } = await svc.call('email.automation.run.list', { automationId: automation.id });
    expect(runs.map(({ status }) => status)).to.deep.equal(['completed']);
    expect(await usageOf(svc)).to.deep.equal([]);
  });
});
