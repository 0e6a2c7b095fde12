import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startupNotices } from '#plugins/billing/startup-notices.js';
import { flat, usePrices } from '#test/billing/prices.js';

describe('billing.price.list', () => {
  const platform = usePlatform({
    settings: usePrices([
      flat('sms.segment', '0.09'),
      flat('sms.segment', '0.11', { country: 'DE' }),
      flat('sms.segment', '0.0095', { country: 'US' }),
      flat('email.message', '9'),
      {
        meter: 'email.message',
        from: '2021-01',
        tiers: [
          [1000, '0'],
          [null, '0.0004'],
        ],
      },
      flat('audience.contact', '1', { from: '2999-01' }),
    ]),
  });

  it('lists what holds this month, by meter and country, in pages', async () => {
    const { svc } = await platform.account();
    const { currency, prices } = await svc.call('billing.price.list', {});
    expect(currency).to.equal('USD');
    expect(prices.map(({ meter, country }) => [meter, country])).to.deep.equal([
      ['email.message', null],
      ['sms.segment', null],
      ['sms.segment', 'DE'],
      ['sms.segment', 'US'],
    ]);
    expect(prices[0]).to.deep.equal({
      meter: 'email.message',
      country: null,
      tiers: [
        { upTo: 1000, unitPrice: '0.00' },
        { upTo: null, unitPrice: '0.0004' },
      ],
      currency: 'USD',
    });
    const first = await svc.call('billing.price.list', { limit: 3 });
    const second = await svc.call('billing.price.list', { limit: 3, before: first.nextBefore ?? '' });
    expect([...first.prices, ...second.prices]).to.deep.equal(prices);
    expect(second.nextBefore).to.equal(null);
  });

  it('answers the prices of a country, and refuses an invalid country or cursor', async () => {
    const { svc } = await platform.account();
    const of = async (country: string): Promise<unknown> =>
      (await svc.call('billing.price.list', { meter: 'sms.segment', country })).prices.map((price) => price.country);
    expect(await of('DE')).to.deep.equal(['DE']);
    expect(await of('FR')).to.deep.equal([null]);
    expect(await svc.refusal('billing.price.list', { country: 'UK' })).to.include({ code: 'invalid_input' });
    expect(await svc.refusal('billing.price.list', { before: 'nothing' })).to.include({ code: 'invalid_input' });
  });

  it('the start counts the same prices, and those of later months apart', () => {
    expect(startupNotices(platform.running.services)).to.deep.equal([
      'billing    4 prices in USD, and 1 that takes effect in a later month',
    ]);
  });
});

describe('A deployment without prices', () => {
  needProducts('email');
  const platform = usePlatform();

  it('meters, charges nothing, and says so at the start', async () => {
    const { svc } = await platform.account();
    await svc.call('email.send', { to: 'ada@example.com', subject: 'Hello', text: 'Hello' });
    const { rows, total } = await svc.call('billing.usage.get', {});
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({
      meter: 'email.message',
      quantity: 1,
      amount: { currency: 'USD', amount: '0.00' },
    });
    expect(total.amount).to.equal('0.00');
    expect((await svc.call('billing.price.list', {})).prices).to.deep.equal([]);
    expect(startupNotices(platform.running.services).join()).to.contain('everything is free');
    await svc.call('billing.cap.set', { amount: '0' });
    await svc.call('email.send', { to: 'ada@example.com', subject: 'Hello', text: 'Hello' });
  });
});
