import { expect } from 'chai';
import { flat, usePrices } from '#test/billing/prices.js';
import { rollUp, usageOf } from '#test/billing/metering-support.js';
import { hours } from '#test/support/clock.js';
import { needProducts } from '#test/support/products.js';
import { twilioRefusals } from '#test/support/twilio.js';
import { ada, send, shown, suppress, text, useTexts } from './support.js';

describe('metering of texts', () => {
  needProducts('billing');
  const texts = useTexts(
    usePrices([
      flat('sms.segment', '0.1'),
      flat('sms.segment', '0.02', { country: 'US' }),
      flat('sms.number_month', '1'),
    ]),
  );
  const { platform } = texts;
  const bob = '+12125550123';
  afterEach(() => texts.twilio.refusals.clear());

  it('counts segments at the price of the recipient’s country, which estimate and message show', async () => {
    const { svc } = await platform.account();
    const long = 'a'.repeat(200);
    const { price } = await svc.call('sms.estimate', { to: bob, body: long });
    expect(price).to.deep.equal({ currency: 'USD', amount: '0.04' });
    const { messageId } = await send(svc, { to: bob, body: long });
    await send(svc);
    await platform.settled();
    expect((await shown(svc, messageId)).price).to.deep.equal(price);
    await rollUp(platform);
    expect(await usageOf(svc, { by: 'meter' })).to.deep.equal(['sms.segment 3 0.14']);
  });

  it('gives back what was not submitted, and not what a carrier did not deliver', async () => {
    const { svc, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const cancelled = await send(svc, { sendAfter });
    expect((await shown(svc, cancelled.messageId)).price).to.deep.equal({ currency: 'USD', amount: '0.10' });
    await svc.call('sms.message.cancel', { messageId: cancelled.messageId });
    texts.twilio.refusals.set(ada, twilioRefusals.invalidTo);
    const refused = await send(svc);
    await platform.settled();
    const stopped = await send(svc, { to: bob, sendAfter });
    await suppress(platform, live, bob, 'stop');
    expect((await send(svc, { to: bob })).status, 'never metered').to.equal('suppressed');
    texts.twilio.refusals.clear();
    const undelivered = await send(svc);
    await platform.settled();
    platform.clock.advance(hours(1));
    await platform.settled();
    const [arrived] = texts.arrivalsOf(undelivered.messageId);
    if (!arrived) throw new Error('The text did not arrive.');
    await texts.twilio.report(arrived, platform.running.address, { status: 'undelivered', code: '30003' });
    const prices = await Promise.all(
      [cancelled, refused, stopped, undelivered].map(
        async ({ messageId }) => (await shown(svc, messageId)).price?.amount,
      ),
    );
    expect(prices).to.deep.equal([undefined, undefined, undefined, '0.10']);
    await rollUp(platform);
    expect(await usageOf(svc, { by: 'meter' })).to.deep.equal(['sms.segment 1 0.10']);
  });

  it('the cap refuses a text that would cross it: nothing is stored or sent', async () => {
    const { svc } = await platform.account();
    await svc.call('billing.cap.set', { amount: '0.25' });
    await send(svc);
    await send(svc);
    const refused = await svc.refusal('sms.send', text());
    expect(refused).to.include({ status: 402, code: 'spending_cap_reached' });
    expect((await svc.call('sms.message.list', {})).messages).to.have.length(2);
    expect(await send(svc, { to: bob }), 'a cheaper country still fits').to.include({ status: 'queued' });
    await platform.settled();
    expect((await svc.call('sms.message.list', { status: 'sent' })).messages).to.have.length(3);
  });

  it('test environments are metered at no charge', async () => {
    const { svc, svcTest } = await platform.account();
    const { messageId } = await send(svcTest, { to: '+15005550006' });
    expect((await shown(svcTest, messageId)).price).to.deep.equal({ currency: 'USD', amount: '0.00' });
    await rollUp(platform);
    expect(await usageOf(svc, { by: 'meter' })).to.deep.equal(['test sms.segment 1 0.00']);
  });
});
