import { expect } from 'chai';
import { flat, usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth, meter, usageOf } from '#test/billing/support.js';
import { usePlatform } from '#test/support/platform.js';

describe('An amount that the payment provider does not collect', () => {
  const prices = usePrices([flat('sms.segment', '0.01')]);
  const platform = usePlatform({
    // Nothing is asked of Stripe for accounts without a payment method.
    settings: async () => ({ ...(await prices()), SVC_PAYMENT_URL: 'stripe://sk_test_none@127.0.0.1:1' }),
  });

  it('waits until it is large enough, and is then collected with the rest', async () => {
    const { svc, live } = await platform.account();
    const periods: string[] = [];
    for (const quantity of [20, 0, 29, 1]) {
      if (quantity > 0) await meter(platform, live, usageOf('sms.segment', quantity));
      periods.push(endMonth(platform));
      await closeMonths(platform);
    }
    const [first, second, third, last] = periods;
    const invoiceOf = async (period = ''): Promise<{ status: string; total: string; amounts: string[] }> => {
      const { invoice } = await svc.call('billing.invoice.get', { period });
      const { status, total, lines } = invoice;
      return { status, total, amounts: lines.map(({ amount }) => amount) };
    };
    expect(await invoiceOf(first)).to.deep.equal({ status: 'paid', total: '0.00', amounts: ['0.20', '-0.20'] });
    expect((await svc.refusal('billing.invoice.get', { period: second })).code).to.equal('not_found');
    expect(await invoiceOf(third)).to.deep.equal({ status: 'paid', total: '0.00', amounts: ['0.29', '0.20', '-0.49'] });
    const { total, amounts } = await invoiceOf(last);
    expect({ total, amounts }).to.deep.equal({ total: '0.50', amounts: ['0.01', '0.49'] });
  });
});
