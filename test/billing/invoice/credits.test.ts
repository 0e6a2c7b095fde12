import { dayMs } from '#core/runtime/clock.js';
import { expect } from 'chai';
import { endOf, periodOf } from '#plugins/billing/periods/months.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth, meter, operatorOf, usageOf } from '#test/billing/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

describe('What pays an invoice before anything is collected', () => {
  const prices = usePrices([flat('sms.segment', '0.01')]);
  const platform = usePlatform({ settings: async () => ({ ...(await prices()), SVC_TAX_PERCENT: '10' }) });
  const grant = async ({ accountId }: TestAccount, amount: string, expiresAt?: Date): Promise<string> => {
    const input = {
      accountId,
      amount,
      reason: 'For a test',
      ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
    };
    return (await operatorOf(platform).call('billing.credit.record', input)).credit.id;
  };
  const remaining = async (id: string): Promise<bigint> => {
    const [row] = await platform.running.services.database.rows<{ left: string }>(
      'SELECT CAST(remaining AS CHAR) AS `left` FROM billing_credit WHERE id = ?',
      [Buffer.from(id.replaceAll('-', ''), 'hex')],
    );
    return BigInt(row?.left ?? -1);
  };
  const presentMonth = (): string => periodOf(platform.clock.now());

  it('is the credit that expires first, then the next; tax is on the rest', async () => {
    const account = await platform.account();
    const after = (days: number): Date => new Date(endOf(presentMonth()).getTime() + days * dayMs);
    const forever = await grant(account, '30');
    const later = await grant(account, '5', after(60));
    const sooner = await grant(account, '3', after(30));
    await meter(platform, account.live, usageOf('sms.segment', 2_000));
    const period = endMonth(platform);
    await closeMonths(platform);
    const { invoice } = await account.svc.call('billing.invoice.get', { period });
    expect(invoice).to.include({ subtotal: '20.00', credit: '20.00', tax: '0.00', total: '0.00', status: 'paid' });
    expect(invoice.paidAt).to.equal(invoice.issuedAt);
    expect(await Promise.all([sooner, later, forever].map(remaining))).to.deep.equal([0n, 0n, 18_000_000n]);

    await meter(platform, account.live, usageOf('sms.segment', 5_000));
    const next = endMonth(platform);
    await closeMonths(platform);
    const { invoice: second } = await account.svc.call('billing.invoice.get', { period: next });
    expect(second).to.include({ subtotal: '50.00', credit: '18.00', tax: '3.20', total: '35.20', status: 'open' });
    expect(await remaining(forever)).to.equal(0n);
  });

  it('excludes credits that expired before the month’s last day, and includes one that expires on it', async () => {
    // From the beginning of a month, whatever day it is.
    endMonth(platform);
    const account = await platform.account();
    const lastDay = endOf(presentMonth()).getTime() - dayMs;
    platform.clock.advance(Math.max(0, lastDay - 2 * dayMs - platform.clock.now().getTime()));
    const before = await grant(account, '5', new Date(lastDay));
    const onIt = await grant(account, '5', new Date(lastDay + 1));
    await meter(platform, account.live, usageOf('sms.segment', 2_000));
    const period = endMonth(platform);
    await closeMonths(platform);
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.credit).to.equal('5.00');
    expect([await remaining(before), await remaining(onIt)]).to.deep.equal([5_000_000n, 0n]);
  });

  it('excludes credits that were granted after the month’s end, however late the month is closed', async () => {
    const account = await platform.account();
    await meter(platform, account.live, usageOf('sms.segment', 2_000));
    const period = endMonth(platform);
    const late = await grant(account, '5');
    await closeMonths(platform);
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.credit).to.equal('0.00');
    expect(await remaining(late)).to.equal(5_000_000n);
    await meter(platform, account.live, usageOf('sms.segment', 2_000));
    const next = endMonth(platform);
    await closeMonths(platform);
    expect((await account.svc.call('billing.invoice.get', { period: next })).invoice.credit).to.equal('5.00');
  });

  it('is nothing of a credit that was reversed, and what was used of it stays used', async () => {
    const account = await platform.account();
    const operator = operatorOf(platform);
    const credit = await grant(account, '15');
    await meter(platform, account.live, usageOf('sms.segment', 1_000));
    const period = endMonth(platform);
    await closeMonths(platform);
    const { credit: reversed } = await operator.call('billing.credit.reverse', { creditId: credit, reason: 'Mistake' });
    expect(reversed.remaining.amount).to.equal('0.00');
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.credit).to.equal('10.00');
    await meter(platform, account.live, usageOf('sms.segment', 1_000));
    const next = endMonth(platform);
    await closeMonths(platform);
    expect((await account.svc.call('billing.invoice.get', { period: next })).invoice.credit).to.equal('0.00');
  });

  it('is used by one invoice, though two months are closed one after another', async () => {
    const account = await platform.account();
    await grant(account, '12');
    const months: string[] = [];
    for (let month = 0; month < 2; month += 1) {
      await meter(platform, account.live, usageOf('sms.segment', 1_000));
      months.push(endMonth(platform));
    }
    await closeMonths(platform);
    const credits: string[] = [];
    for (const period of months)
      credits.push((await account.svc.call('billing.invoice.get', { period })).invoice.credit);
    expect(credits).to.deep.equal(['10.00', '2.00']);
  });

  it('moves what is too small to collect, or owed to the account, to the next invoice', async () => {
    const { svc, live } = await platform.account();
    const close = async (
      quantity: number,
    ): Promise<{ status: string; lines: [string, string][]; total: string } | null> => {
      if (quantity !== 0) await meter(platform, live, usageOf('sms.segment', quantity));
      const period = endMonth(platform);
      await closeMonths(platform);
      const { status, text } = await svc.raw('/billing/invoice/get', JSON.stringify({ period }));
      if (status === 404) return null;
      expect(status, text).to.equal(200);
      const { invoice } = await svc.call('billing.invoice.get', { period });
      const lines = invoice.lines.map(({ description, amount }): [string, string] => [description, amount]);
      return { status: invoice.status, lines, total: invoice.total };
    };
    const used = presentMonth();
    expect(await close(100)).to.include({ status: 'open', total: '1.10' });
    const first = presentMonth();
    // Nothing was used, and what was used in the month before is given back.
    const owed = await close(-100);
    expect(owed).to.deep.equal({
      status: 'paid',
      lines: [
        [`Text message segments, reversed from ${used}`, '-1.00'],
        ['Carried over to a later invoice', '1.00'],
      ],
      total: '0.00',
    });
    // Nothing was used: the amount waits, without an invoice.
    expect(await close(0)).to.equal(null);
    expect(await close(300)).to.deep.equal({
      status: 'open',
      lines: [
        ['Text message segments', '3.00'],
        [`Carried over from ${first}`, '-1.00'],
      ],
      total: '2.20',
    });
  });
});
