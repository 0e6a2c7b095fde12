import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { mail } from './metering-support.js';
import { operatorOf } from './support.js';

describe('billing.get', () => {
  const platform = usePlatform({ settings: usePrices([flat('email.message', '1')]) });

  it('shows an account without any usage', async () => {
    const { svc } = await platform.account();
    expect(await svc.call('billing.get', {})).to.deep.equal({
      standing: 'good',
      period: platform.clock.now().toISOString().slice(0, 7),
      amountSoFar: { currency: 'USD', amount: '0.00' },
      cap: null,
      capRemaining: null,
      reserved: { currency: 'USD', amount: '0.00' },
      credit: { balance: { currency: 'USD', amount: '0.00' }, credits: [] },
      paymentMethod: null,
      details: null,
    });
  });

  it('shows the billing details, in each environment of the account', async () => {
    const { svc, svcTest } = await platform.account();
    const { details } = await svc.call('billing.details.set', { name: 'Acme GmbH', email: 'ap@acme.example' });
    for (const api of [svc, svcTest]) expect((await api.call('billing.get', {})).details).to.deep.equal(details);
  });

  itNeeding('email')('shows what is spent of the cap, fees among it, and the credits', async () => {
    const { svc, accountId } = await platform.account();
    const operator = operatorOf(platform);
    await svc.call('billing.cap.set', { amount: '5' });
    await svc.call('email.send', mail());
    await operator.call('billing.passthrough.record', { accountId, description: 'Carrier fee', amount: '3' });
    await operator.call('billing.credit.record', { accountId, amount: '10', reason: 'Welcome' });
    const shown = await svc.call('billing.get', {});
    expect(shown).to.deep.include({
      amountSoFar: { currency: 'USD', amount: '4.00' },
      cap: { currency: 'USD', amount: '5.00' },
      capRemaining: { currency: 'USD', amount: '1.00' },
    });
    expect(shown.credit.balance.amount).to.equal('10.00');
    expect(shown.credit.credits.map(({ reason }) => reason)).to.deep.equal(['Welcome']);
    await svc.call('email.send', mail());
    expect(await svc.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
    // Fees are never refused, and may cross it.
    await operator.call('billing.passthrough.record', { accountId, description: 'Carrier fee', amount: '3' });
    expect((await svc.call('billing.get', {})).capRemaining).to.deep.equal({ currency: 'USD', amount: '0.00' });
  });

  itNeeding('email')('shows other accounts to the operator alone', async () => {
    const { svc, accountId } = await platform.account();
    const other = await platform.account();
    await svc.call('email.send', mail());
    const operator = operatorOf(platform);
    expect((await operator.call('billing.get', { accountId })).amountSoFar.amount).to.equal('1.00');
    expect((await svc.call('billing.get', { accountId })).amountSoFar.amount).to.equal('1.00');
    expect(await other.svc.refusal('billing.get', { accountId })).to.include({ code: 'operator_only', status: 403 });
    expect(await operator.refusal('billing.get', { accountId: randomUUID() })).to.include({ code: 'not_found' });
  });
});
