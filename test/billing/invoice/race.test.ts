import { expect } from 'chai';
import type { Platform } from '#core/platform/platform.js';
import { closeMonth } from '#plugins/billing/closing/close-month.js';
import { queueMonthCloses } from '#plugins/billing/closing/close-work.js';
import { nextPeriod } from '#plugins/billing/periods/months.js';
import { tariffOf } from '#plugins/billing/settings/tariff.js';
import { minutes } from '#test/support/clock.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { rollUpBatch, rollUpUsage } from '#plugins/billing/closing/roll-up.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { endMonth, meter, operatorOf, usageOf } from '#test/billing/support.js';
import { usePlatform } from '#test/support/platform.js';

describe('Months that are closed by several at once', () => {
  const prices = usePrices([flat('sms.segment', '0.01')]);
  const platform = usePlatform({ settings: prices });
  const close = ({ services }: Platform, accountId: string, period: string): Promise<unknown> =>
    services.transaction('Test', (context) => closeMonth(context, accountId, period));
  const numbers = async (): Promise<number[]> => {
    const rows = await platform.running.services.database.rows<{ number: Buffer }>(
      'SELECT number FROM billing_invoice',
    );
    return rows.map(({ number }) => Number(number.toString().slice(4))).sort((a, b) => a - b);
  };
  const gapless = (all: readonly number[]): number[] => all.map((_, index) => index + 1);

  it('are closed once, with one invoice and each credit used once', async () => {
    const node = await platform.secondNode();
    const { accountId, live, svc } = await platform.account();
    await operatorOf(platform).call('billing.credit.record', { accountId, amount: '3', reason: 'Welcome' });
    await meter(platform, live, usageOf('sms.segment', 1_000));
    const period = endMonth(platform);
    const racers = Array.from({ length: 8 }, (_, n) =>
      close(n % 2 ? platform.running : node.running, accountId, period),
    );
    const ended = await Promise.all(racers);
    expect(ended.filter((invoice) => invoice !== null)).to.have.length(1);
    const { invoice } = await svc.call('billing.invoice.get', { period });
    expect(invoice).to.include({ subtotal: '10.00', credit: '3.00', total: '7.00', status: 'open' });
    // What the invoice charges is not charged by the next one.
    await rollUpUsage(platform.running.services);
    const { invoice: draft } = await svc.call('billing.invoice.get', { period: nextPeriod(period) });
    expect(draft.lines).to.deep.equal([]);
    const { activities } = await svc.call('account.activity.list', {});
    expect(activities.filter(({ operation }) => operation === 'billing.invoice.issue')).to.have.length(1);
    expect(await platform.count('billing_collection_queue', `id = 0x${invoice.id.replaceAll('-', '')}`)).to.be.at.most(
      1,
    );
  });

  it('charge usage once that another process is adding to the totals', async () => {
    const { accountId, live, svc } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 1_000));
    const period = endMonth(platform);
    const { services } = platform.running;
    const id = [Buffer.from(accountId.replaceAll('-', ''), 'hex')];
    const { closing } = await services.database.transaction(async (db) => {
      await db.rows('SELECT id FROM billing_usage WHERE is_rolled_up = 0 AND account_id = ? FOR UPDATE', id);
      const started = { closing: close(platform.running, accountId, period) };
      await untilWaiting(platform, 1, 'the close that waits');
      await rollUpBatch(db, tariffOf(services.deployment), platform.clock.now(), accountId);
      return started;
    });
    await closing;
    expect((await svc.call('billing.invoice.get', { period })).invoice.subtotal).to.equal('10.00');
    await rollUpUsage(services);
    const { invoice: draft } = await svc.call('billing.invoice.get', { period: nextPeriod(period) });
    expect(draft.lines).to.deep.equal([]);
  });

  it('use a credit, or have it taken back, and never both', async () => {
    const { accountId, live, svc } = await platform.account();
    const input = { accountId, amount: '3', reason: 'Welcome' };
    const { credit } = await operatorOf(platform).call('billing.credit.record', input);
    await meter(platform, live, usageOf('sms.segment', 1_000));
    const period = endMonth(platform);
    const id = [Buffer.from(credit.id.replaceAll('-', ''), 'hex')];
    const { closing } = await platform.running.services.database.transaction(async (db) => {
      await db.rows('SELECT id FROM billing_credit WHERE id = ? FOR UPDATE', id);
      const started = { closing: close(platform.running, accountId, period) };
      await untilWaiting(platform, 1, 'the close that waits');
      // As billing.credit.reverse does.
      await db.run('UPDATE billing_credit SET remaining = 0, reversed_at = NOW(3) WHERE id = ?', id);
      return started;
    });
    await closing;
    const { invoice } = await svc.call('billing.invoice.get', { period });
    expect(invoice).to.include({ subtotal: '10.00', credit: '0.00', total: '10.00' });
    expect((await svc.call('billing.get', {})).credit.balance.amount).to.equal('0.00');
  });

  it('get numbers without gaps, though some closes fail on the way', async () => {
    const node = await platform.secondNode();
    const accounts = await Promise.all(Array.from({ length: 6 }, () => platform.account()));
    for (const { live } of accounts) await meter(platform, live, usageOf('sms.segment', 500));
    const period = endMonth(platform);
    const failing = accounts.map(({ accountId }) =>
      platform.running.services
        .transaction('Test', async (context) => {
          await closeMonth(context, accountId, period);
          throw new Error('After the number was given out.');
        })
        .catch((error: unknown) => (error instanceof Error ? error.message : '')),
    );
    const closing = accounts.map(({ accountId }) => close(node.running, accountId, period));
    const [messages] = await Promise.all([Promise.all(failing), Promise.all(closing)]);
    expect(messages.some((message) => message === 'After the number was given out.')).to.equal(true);
    for (const { accountId } of accounts)
      expect(await platform.count('billing_invoice', `account_id = 0x${accountId.replaceAll('-', '')}`)).to.equal(1);
    const given = await numbers();
    expect(given).to.deep.equal(gapless(given));
  });

  it('are queued once by two nodes, and closed by whichever claims them', async () => {
    const node = await platform.secondNode();
    const accounts = await Promise.all(Array.from({ length: 5 }, () => platform.account()));
    for (const { live } of accounts) await meter(platform, live, usageOf('sms.segment', 500));
    const period = endMonth(platform);
    await Promise.all([platform.running, node.running].map(({ services }) => queueMonthCloses(services)));
    await Promise.all([...platform.running.workers, ...node.running.workers].map((worker) => worker.idle()));
    for (const { svc } of accounts)
      expect((await svc.call('billing.invoice.get', { period })).invoice).to.include({ status: 'open', total: '5.00' });
    const given = await numbers();
    expect(given).to.deep.equal(gapless(given));
  });

  it('wait while the clocks cannot be trusted', async () => {
    const { live, svc } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 100));
    const period = endMonth(platform);
    const status = async (): Promise<string> => (await svc.call('billing.invoice.get', { period })).invoice.status;
    platform.clock.trust(false);
    await queueMonthCloses(platform.running.services);
    await platform.settled();
    expect(await status()).to.equal('draft');
    platform.clock.trust(true);
    platform.clock.advance(minutes(5));
    await platform.settled();
    expect(await status()).to.equal('open');
  });
});
