import { expect } from 'chai';
import { invoiceCommands, metering } from '#plugins/billing/ports.js';
import { periodOf } from '#plugins/billing/periods/months.js';
import { rollUp, usageOf as shownUsage } from '#test/billing/metering-support.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth, meter, usageOf } from '#test/billing/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

describe('What is given back of an earlier month', () => {
  const prices = usePrices([
    {
      meter: 'email.message',
      tiers: [
        [10, '0'],
        [20, '1'],
        [null, '0.1'],
      ],
    },
    {
      meter: 'sms.segment',
      tiers: [
        [2, '2'],
        [null, '0.5'],
      ],
    },
  ]);
  const dearer = usePrices([flat('email.message', '50'), flat('sms.segment', '50')]);
  // Without email: mails about invoices that are not paid would take most of the time.
  const platform = usePlatform({
    settings: async () => ({ ...(await prices()), SVC_PRODUCTS: 'account,developers,billing' }),
  });
  const giveBack = ({ live }: Pick<TestAccount, 'live'>, ...[of, quantity, country]: Parameters<typeof usageOf>) =>
    meter(platform, live, usageOf(of, -quantity, country));
  const draftLines = async ({ svc }: Pick<TestAccount, 'svc'>): Promise<[string, number, string][]> => {
    const { invoice } = await svc.call('billing.invoice.get', { period: periodOf(platform.clock.now()) });
    return invoice.lines.map(({ description, quantity, amount }) => [description, quantity, amount]);
  };
  async function close({ svc }: Pick<TestAccount, 'svc'>) {
    const period = endMonth(platform);
    await closeMonths(platform);
    const { invoice } = await svc.call('billing.invoice.get', { period });
    return { period, invoice };
  }
  /** 10 free, 10 at 1.00, 5 at 0.10. */
  async function charged(quantity = 25): Promise<{ account: TestAccount; period: string; number: string }> {
    const account = await platform.account();
    await meter(platform, account.live, usageOf('email.message', quantity));
    const { period, invoice } = await close(account);
    return { account, period, number: invoice.number ?? '' };
  }
  const cancelInvoice = (number: string): Promise<string> =>
    platform.running.services.transaction('npm run billing', ({ use }) =>
      use(invoiceCommands).markVoid(number, 'Issued by mistake'),
    );

  it('is what the month costs less what it costs without it, before and after it is rolled up', async () => {
    const { account, period } = await charged();
    // 5 of the last tier and 3 of the one before it.
    await giveBack(account, 'email.message', 8);
    const line = [`Emails, reversed from ${period}`, 1, '-3.50'];
    expect((await draftLines(account))[0]).to.deep.equal(line);
    expect(await shownUsage(account.svc)).to.deep.equal(['email.message -8 -3.50']);
    await rollUp(platform);
    expect((await draftLines(account))[0]).to.deep.equal(line);
    expect(await shownUsage(account.svc)).to.deep.equal(['email.message -8 -3.50']);
    expect((await account.svc.call('billing.get', {})).amountSoFar.amount).to.equal('-3.50');
    // What is used now has the tiers of this month to itself.
    await meter(platform, account.live, usageOf('email.message', 12));
    expect((await account.svc.call('billing.get', {})).amountSoFar.amount).to.equal('-1.50');
  });

  it('adds up to what the units had cost, in parts and in later months, and never to more', async () => {
    const { account, period } = await charged();
    await giveBack(account, 'email.message', 4);
    await giveBack(account, 'email.message', 4);
    const { invoice: second } = await close(account);
    expect(second.lines.map(({ amount }) => amount)).to.deep.equal(['-3.50', '3.50']);
    await giveBack(account, 'email.message', 17);
    // There is nothing left of it.
    await giveBack(account, 'email.message', 1);
    expect((await draftLines(account)).slice(0, 2)).to.deep.equal([
      [`Emails, reversed from ${period}`, 1, '-7.00'],
      [`Carried over from ${second.period}`, 1, '-3.50'],
    ]);
    expect(await shownUsage(account.svc)).to.deep.equal(['email.message -17 -7.00']);
  });

  it('has no line where the units were free, and costs nothing in test environments', async () => {
    const { account } = await charged(8);
    await giveBack(account, 'email.message', 8);
    expect(await draftLines(account)).to.deep.equal([]);
    const other = await platform.account();
    await meter(platform, other.test, usageOf('email.message', 40));
    endMonth(platform);
    await closeMonths(platform);
    await giveBack({ live: other.test }, 'email.message', 40);
    expect(await draftLines(other)).to.deep.equal([]);
    expect(await shownUsage(other.svc)).to.deep.equal(['test email.message -40 0.00']);
  });

  it('is by country, of units whose countries share a price', async () => {
    const account = await platform.account();
    await meter(platform, account.live, usageOf('sms.segment', 3, 'DE'), usageOf('sms.segment', 2, 'US'));
    const { period } = await close(account);
    await giveBack(account, 'sms.segment', 1, 'US');
    await rollUp(platform);
    await giveBack(account, 'sms.segment', 3, 'DE');
    expect((await draftLines(account)).slice(0, 2)).to.deep.equal([
      [`Text message segments (Germany), reversed from ${period}`, 1, '-3.00'],
      [`Text message segments (United States), reversed from ${period}`, 1, '-0.50'],
    ]);
  });

  it('reduces a month that is over and not closed yet', async () => {
    const account = await platform.account();
    await meter(platform, account.live, usageOf('email.message', 25));
    const period = endMonth(platform);
    await giveBack(account, 'email.message', 8);
    await closeMonths(platform);
    const { invoice } = await account.svc.call('billing.invoice.get', { period });
    expect([invoice.total, invoice.lines.length]).to.deep.equal(['7.00', 2]);
    expect(await draftLines(account)).to.deep.equal([]);
  });

  it('belongs to the month in which the units were recorded, if their source recorded units in several months', async () => {
    const { account, period } = await charged();
    const madeAt = new Date(`${period}-28T12:00:00.000Z`);
    await meter(platform, account.live, usageOf('email.message', 12));
    const { period: second } = await close(account);
    await platform.running.services.transaction('Test', async ({ use, actIn }) => {
      actIn(account.live);
      await use(metering).reverse(account.live, [{ ...usageOf('email.message', 5), recordedAt: madeAt }]);
      await use(metering).reverse(account.live, [usageOf('email.message', 2)]);
    });
    expect((await draftLines(account)).slice(0, 2)).to.deep.equal([
      [`Emails, reversed from ${period}`, 1, '-0.50'],
      [`Emails, reversed from ${second}`, 1, '-2.00'],
    ]);
  });

  it('is the same after many corrections of one source, which are kept in one row once they are rolled up', async () => {
    const account = await platform.account();
    const id = account.accountId.replaceAll('-', '');
    const rows = (): Promise<number> => platform.count('billing_usage', `account_id = 0x${id} AND quantity < 0`);
    await meter(platform, account.live, usageOf('email.message', 25), usageOf('sms.segment', 3, 'DE'));
    for (let count = 0; count < 6; count += 1) await giveBack(account, 'email.message', 1);
    await giveBack(account, 'sms.segment', 1, 'DE');
    const before = await shownUsage(account.svc);
    expect(before).to.deep.equal(['email.message 19 9.00', 'sms.segment 2 4.00']);
    await Promise.all([rollUp(platform), rollUp(platform)]);
    expect(await shownUsage(account.svc)).to.deep.equal(before);
    expect(await rows(), 'one for each meter').to.equal(2);
    const { invoice } = await close(account);
    expect(invoice.subtotal).to.equal('13.00');
    for (let count = 0; count < 4; count += 1) await giveBack(account, 'email.message', 1);
    await rollUp(platform);
    expect(await rows()).to.equal(3);
    // No more than what is left of it.
    await giveBack(account, 'email.message', 100);
    expect(await shownUsage(account.svc)).to.deep.equal(['email.message -19 -9.00']);
    await rollUp(platform);
    expect(await shownUsage(account.svc)).to.deep.equal(['email.message -19 -9.00']);
  });

  it('is at the prices that the month was charged by, whatever the prices file says now', async () => {
    const { account, period } = await charged();
    await platform.restart(await dearer());
    await giveBack(account, 'email.message', 25);
    expect((await draftLines(account))[0]).to.deep.equal([`Emails, reversed from ${period}`, 1, '-10.50']);
    await platform.restart(await prices());
  });

  it('does not apply to a cancelled invoice; earlier credits for it are taken back', async () => {
    const { account, period, number } = await charged();
    await giveBack(account, 'email.message', 5);
    await rollUp(platform);
    await cancelInvoice(number);
    await giveBack(account, 'email.message', 5);
    expect(await draftLines(account)).to.deep.equal([
      [`Emails, reversed from ${period}`, 1, '-0.50'],
      [`Carried over from ${period}`, 1, '0.50'],
    ]);
  });

  it('is not lost with the invoice that credits it: a later one takes it over, once', async () => {
    const { account } = await charged();
    await giveBack(account, 'email.message', 8);
    await meter(platform, account.live, usageOf('sms.segment', 12));
    const { period, invoice } = await close(account);
    expect(invoice).to.include({ status: 'open', total: '5.50' });
    await cancelInvoice(invoice.number ?? '');
    await meter(platform, account.live, usageOf('sms.segment', 2));
    const later = await close(account);
    expect(later.invoice.lines.map(({ description, amount }) => [description, amount])).to.deep.equal([
      ['Text message segments', '4.00'],
      [`Carried over from ${period}`, '-3.50'],
    ]);
    expect(await draftLines(account)).to.deep.equal([]);
  });

  it('is not lost either where the cancelled invoice had only taken it over', async () => {
    const { account, period: first } = await charged();
    await giveBack(account, 'email.message', 8);
    const { period: second } = await close(account);
    await meter(platform, account.live, usageOf('sms.segment', 12));
    const { period: third, invoice } = await close(account);
    expect(invoice.lines.at(-1)?.description).to.equal(`Carried over from ${second}`);
    expect([first < second, invoice.total]).to.deep.equal([true, '5.50']);
    await cancelInvoice(invoice.number ?? '');
    expect((await draftLines(account))[0]).to.deep.equal([`Carried over from ${third}`, 1, '-3.50']);
  });

  it('makes room under the cap, by what it is worth', async () => {
    const { account } = await charged();
    await account.svc.call('billing.cap.set', { amount: '3' });
    await giveBack(account, 'email.message', 8);
    for (let times = 0; times < 2; times += 1) {
      const { amountSoFar, capRemaining } = await account.svc.call('billing.get', {});
      expect([amountSoFar.amount, capRemaining?.amount]).to.deep.equal(['-3.50', '6.50']);
      await rollUp(platform);
    }
    const isRefused = (quantity: number): Promise<boolean> =>
      platform.running.services.transaction('Test', async ({ use, actIn }) => {
        actIn(account.live);
        return (await use(metering).recordWithinCap(account.live, [usageOf('sms.segment', quantity)])) !== null;
      });
    expect(await isRefused(8)).to.equal(true);
    // 2.00 twice and 0.50 five times.
    expect(await isRefused(7)).to.equal(false);
    expect((await account.svc.call('billing.get', {})).capRemaining?.amount).to.equal('0.00');
  });

  it('gives nothing back of what was never recorded', async () => {
    const { account } = await charged();
    await giveBack(account, 'sms.segment', 3, 'DE');
    expect(await draftLines(account)).to.deep.equal([]);
    expect((await account.svc.call('billing.get', {})).amountSoFar.amount).to.equal('0.00');
  });
});
