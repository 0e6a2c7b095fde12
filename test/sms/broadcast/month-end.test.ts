import { expect } from 'chai';
import { addMonths, endOf, periodOf } from '#plugins/billing/periods/months.js';
import { rollUp, usageOf } from '#test/billing/metering-support.js';
import { usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth } from '#test/billing/support.js';
import { hours, minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { quietNow } from '../quiet-hours/support.js';
import { useTexts } from '../support.js';
import { mobile, reached, sendBroadcast, shown, subscribe, texter } from './support.js';

describe('Texts that wait for the morning over the end of a month', () => {
  const next = addMonths(periodOf(new Date()), 1);
  const prices = usePrices([
    { meter: 'sms.segment', country: 'DE', tiers: [[null, '0.11']] },
    {
      meter: 'sms.segment',
      country: 'DE',
      from: next,
      tiers: [
        [10, '0'],
        [null, '0.105'],
      ],
    },
  ]);
  const { platform } = useTexts(prices);

  it('cost what their segments cost in the month in which they were made', async () => {
    const account = await texter(platform, 'Hello {{ contact.firstName | default: "you" }}.');
    const { svc } = account;
    const end = endOf(periodOf(platform.clock.now())).getTime();
    platform.clock.advance(end - minutes(30) - platform.clock.now().getTime());
    await svc.call('sms.settings.set', { quietHours: quietNow(platform, 'Europe/Berlin') });
    await subscribe(account, [41, 42, 43, 44].map(mobile));
    const id = await sendBroadcast(account);
    await eventually(async () => (await shown(account, id)).counts?.queued === 4, 'made');
    await rollUp(platform);
    const period = endMonth(platform);
    await closeMonths(platform);
    // Each counts as six segments until it leaves.
    expect((await svc.call('billing.invoice.get', { period })).invoice.subtotal).to.equal('2.64');
    platform.clock.advance(hours(10));
    await reached(account, id, 'sent');
    expect(await usageOf(svc)).to.deep.equal(['sms.segment -20 -2.20']);
    const { invoice } = await svc.call('billing.invoice.get', { period: next });
    expect(invoice.lines[0]).to.include({
      description: `Text message segments (Germany), reversed from ${period}`,
      amount: '-2.20',
    });
  });
});
