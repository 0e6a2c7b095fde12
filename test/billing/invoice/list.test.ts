import { expect } from 'chai';
import { flat, usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth, meter, usageOf } from '#test/billing/support.js';
import { usePlatform } from '#test/support/platform.js';

describe('billing.invoice.list', () => {
  const prices = usePrices([flat('sms.segment', '0.01')]);
  const platform = usePlatform({ settings: prices });

  it('lists invoices page by page, newest first, after the draft of the present month', async () => {
    const { svc, svcTest, live } = await platform.account();
    const periods: string[] = [];
    for (let month = 0; month < 4; month += 1) {
      await meter(platform, live, usageOf('sms.segment', 100 * (month + 1)));
      periods.unshift(endMonth(platform));
    }
    await closeMonths(platform);
    const present = platform.clock.now().toISOString().slice(0, 7);
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(before);
      seen.push(...page.invoices.map(({ period }) => period));
      before = page.nextBefore;
    } while (before !== null);
    expect(seen).to.deep.equal([present, ...periods]);
    // An account’s invoices are the same in each of its environments.
    expect((await svcTest.call('billing.invoice.list', {})).invoices).to.have.length(5);

    function list(from: string | null) {
      return svc.call('billing.invoice.list', { limit: 2, ...(from === null ? {} : { before: from }) });
    }
  });

  it('lists those of one status', async () => {
    const { svc, live } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 100));
    const period = endMonth(platform);
    await closeMonths(platform);
    const periodsOf = async (status: 'draft' | 'open' | 'paid'): Promise<string[]> =>
      (await svc.call('billing.invoice.list', { status })).invoices.map((invoice) => invoice.period);
    expect(await periodsOf('open')).to.deep.equal([period]);
    expect(await periodsOf('paid')).to.deep.equal([]);
    expect(await periodsOf('draft')).to.deep.equal([platform.clock.now().toISOString().slice(0, 7)]);
  });

  it('shows the draft of a month that ended until it is closed', async () => {
    const { svc, live } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 100));
    const period = endMonth(platform);
    const { invoices } = await svc.call('billing.invoice.list', {});
    expect(invoices.map(({ period: month, status }) => [month, status])).to.deep.equal([
      [platform.clock.now().toISOString().slice(0, 7), 'draft'],
      [period, 'draft'],
    ]);
    await closeMonths(platform);
    expect((await svc.call('billing.invoice.list', {})).invoices[1]?.status).to.equal('open');
  });

  it('refuses a page that no list answered', async () => {
    const { svc } = await platform.account();
    expect(await svc.refusal('billing.invoice.list', { before: '2026-13' })).to.deep.include({
      code: 'invalid_input',
      details: { field: 'before' },
    });
  });
});
