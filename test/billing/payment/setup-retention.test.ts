import { expect } from 'chai';
import { forgetSetups } from '#plugins/billing/payments/setup/retention.js';
import { days } from '#test/support/clock.js';
import { addCard, useStripe } from './support.js';

describe('Retention of payment set-ups', () => {
  const { platform, stripe } = useStripe({ SVC_PAYMENT_SETUP_RETENTION_DAYS: '30' });

  it('deletes old ones but the one that the payment method comes from, and says so', async () => {
    const account = await platform.account();
    const { svc } = account;
    const replaced = await addCard(account, stripe());
    const { setupId: opened } = await svc.call('billing.payment.setup', {});
    platform.clock.advance(1_000);
    const current = await addCard(account, stripe(), '4000002500003155');
    const other = await platform.account();
    const others = await addCard(other, stripe());
    platform.clock.advance(days(31));
    const { setupId: recent } = await svc.call('billing.payment.setup', {});
    await forgetSetups(platform.running.services);
    for (const setupId of [replaced, opened]) {
      const { code, fix } = await svc.refusal('billing.payment.confirm', { setupId });
      expect(code).to.equal('not_found');
      expect(fix).to.contain('payment setups that started more than 30 days ago are deleted');
    }
    expect(await svc.call('billing.payment.confirm', { setupId: current })).to.include({ status: 'active' });
    expect(await other.svc.call('billing.payment.confirm', { setupId: others })).to.include({ status: 'active' });
    expect(await svc.call('billing.payment.confirm', { setupId: recent })).to.include({ status: 'pending' });
    expect((await svc.call('billing.get', {})).paymentMethod).to.include({ last4: '3155' });
  });
});

describe('Without SVC_PAYMENT_SETUP_RETENTION_DAYS', () => {
  const { platform } = useStripe();

  it('payment set-ups are kept', async () => {
    const { svc } = await platform.account();
    const { setupId } = await svc.call('billing.payment.setup', {});
    platform.clock.advance(days(5_000));
    await forgetSetups(platform.running.services);
    expect(await svc.call('billing.payment.confirm', { setupId })).to.include({ status: 'pending' });
  });
});
