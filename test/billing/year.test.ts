import { dayMs } from '#core/runtime/clock.js';
import { expect } from 'chai';
import { addMonths, endOf, periodOf } from '#plugins/billing/periods/months.js';
import { closeMonth } from '#plugins/billing/closing/close-month.js';
import { queueMonthCloses } from '#plugins/billing/closing/close-work.js';
import type { Meter } from '#plugins/billing/meters.js';
import { parseAmount } from '#plugins/billing/money/micros.js';
import { openLedger, type Ledger, type LedgerPrice } from '#test/billing/ledger.js';
import { usePrices, type TestPrice } from '#test/billing/prices.js';
import { endMonth, meter, operatorOf, usageOf } from '#test/billing/support.js';
import { usePlatform, type TestAccount, type TestNode } from '#test/support/platform.js';

/** A number generator with a seed (mulberry32), so that a failure can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const microsOf = (price: string): number => Number(parseAmount(price));

describe('A year of an account', function () {
  this.timeout(240_000);
  const start = periodOf(new Date());
  const price = (of: Meter, tiers: TestPrice['tiers'], more: Partial<TestPrice> = {}): TestPrice => ({
    meter: of,
    tiers,
    ...more,
  });
  const list: TestPrice[] = [
    price('email.message', [
      [500, '0'],
      [5_000, '0.000731'],
      [null, '0.000399'],
    ]),
    // A change in the middle of the year.
    price('email.message', [[null, '0.000613']], { from: addMonths(start, 6) }),
    price('email.broadcast_message', [[null, '0.000001']]),
    price('sms.segment', [
      [100, '0.0913'],
      [null, '0.0877'],
    ]),
    price('sms.segment', [[null, '0.007999']], { country: 'US' }),
    price('sms.number_month', [[null, '1.15']]),
    price('auth.monthly_active_user', [
      [50, '0'],
      [null, '0.0049'],
    ]),
  ];
  const prices = usePrices(list);
  const platform = usePlatform({
    // Without email: mails about invoices that are not paid would be metered too.
    settings: async () => ({
      ...(await prices()),
      SVC_TAX_PERCENT: '7.7',
      SVC_PRODUCTS: 'account,developers,billing',
    }),
  });
  const ledgerPrices: LedgerPrice[] = list.map(({ meter: of, country = null, from = '2020-01', tiers }) => ({
    meter: of,
    country,
    from,
    tiers: tiers.map(([end, unitPrice]) => [end ?? Infinity, microsOf(unitPrice)] as const),
  }));
  const meterCountries: readonly (readonly [Meter, readonly (string | null)[], number])[] = [
    ['email.message', [null], 9_000],
    ['email.broadcast_message', [null], 900],
    ['sms.segment', ['US', 'DE', 'FR'], 180],
    ['sms.number_month', ['US', 'DE'], 2],
    ['auth.monthly_active_user', [null], 200],
    ['audience.contact', [null], 10_000],
  ];

  /** What one account does in one month. */
  async function live(account: TestAccount, ledger: Ledger, random: (below: number) => number): Promise<void> {
    const operator = operatorOf(platform);
    const { accountId } = account;
    // A quiet month now and then, and one with very little.
    const actions = random(5) === 0 ? 0 : 1 + random(9);
    const isTiny = random(4) === 0;
    for (let action = 0; action < actions; action += 1) {
      const kind = isTiny ? 0 : random(10);
      const [of, countries, most] = meterCountries[isTiny ? 1 : random(meterCountries.length)] ?? [];
      if (of === undefined || countries === undefined || most === undefined) continue;
      const country = countries[random(countries.length)] ?? null;
      const quantity = 1 + random(most);
      if (kind <= 5) {
        await meter(platform, account.live, usageOf(of, quantity, country));
        ledger.use(of, country, quantity);
      } else if (kind === 6) {
        // More may be given back than the month has: units of earlier months.
        await meter(platform, account.live, usageOf(of, -quantity, country));
        ledger.giveBack(of, country, quantity);
      } else if (kind === 7) {
        await meter(platform, account.test, usageOf(of, quantity, country));
      } else if (kind === 8) {
        const amount = `${random(4)}.${String(1 + random(999_999)).padStart(6, '0')}`;
        const input = { accountId, description: 'A fee of a carrier', amount, reference: `fee-${random(1e9)}` };
        for (let copy = 0; copy < 2; copy += 1) await operator.call('billing.passthrough.record', input);
        ledger.charge(parseAmount(amount) ?? 0n);
      } else {
        const amount = `${random(6)}.${String(1 + random(999_999)).padStart(6, '0')}`;
        const expires = random(3) === 0 ? undefined : platform.clock.now().getTime() + (1 + random(120)) * dayMs;
        const { credit } = await operator.call('billing.credit.record', {
          accountId,
          amount,
          reason: 'A random credit',
          ...(expires === undefined ? {} : { expiresAt: new Date(expires).toISOString() }),
        });
        const takeBack = ledger.grant(parseAmount(amount) ?? 0n, expires ?? Infinity);
        if (random(4) === 0) {
          await operator.call('billing.credit.reverse', { creditId: credit.id, reason: 'A random reversal' });
          takeBack();
        }
      }
    }
  }

  /** A close that fails after everything was written. */
  async function failToClose({ accountId }: TestAccount, period: string): Promise<void> {
    const failed = platform.running.services.transaction('Test', async (context) => {
      await closeMonth(context, accountId, period);
      throw new Error('Failed on purpose.');
    });
    const problem = await failed.catch((error: unknown) => (error instanceof Error ? error.message : ''));
    expect(problem).to.equal('Failed on purpose.');
  }

  async function closeOnBoth(node: TestNode): Promise<void> {
    const nodes = [platform.running, node.running];
    await Promise.all(nodes.map(({ services }) => queueMonthCloses(services)));
    await Promise.all(nodes.flatMap(({ workers }) => workers.map((worker) => worker.idle())));
  }

  it('comes to what an independent calculation says, to the micro-unit', async () => {
    const seed = Number(process.env['SVC_TEST_SEED'] ?? 20_261_122);
    const random = randomFrom(seed);
    const node = await platform.secondNode();
    const accounts = await Promise.all(Array.from({ length: 4 }, () => platform.account()));
    const books = accounts.map((account) => ({ account, ledger: openLedger(ledgerPrices, 7_700n) }));
    const issued = { count: 0, carried: 0, paid: 0 };
    for (let month = 0; month < 12; month += 1) {
      for (const { account, ledger } of books) await live(account, ledger, random);
      const period = endMonth(platform);
      for (const { account } of books) if (random(3) === 0) await failToClose(account, period);
      await closeOnBoth(node);
      for (const { account, ledger } of books) {
        const where = `seed ${seed}, month ${period}`;
        const expected = ledger.close(period, endOf(period).getTime());
        const { status, text } = await account.svc.raw('/billing/invoice/get', JSON.stringify({ period }));
        expect(status, `${where}: ${text}`).to.equal(expected ? 200 : 404);
        if (!expected) continue;
        const { invoice } = await account.svc.call('billing.invoice.get', { period });
        const amounts = {
          subtotal: parseAmount(invoice.subtotal),
          credit: parseAmount(invoice.credit),
          tax: parseAmount(invoice.tax),
          total: parseAmount(invoice.total),
        };
        const { carried, ...rest } = expected;
        expect(amounts, where).to.deep.equal(rest);
        const sum = invoice.lines.reduce((all, { amount }) => all + (parseAmount(amount) ?? 0n), 0n);
        expect(sum, where).to.equal(rest.subtotal);
        expect(invoice.status, where).to.equal(rest.total === 0n ? 'paid' : 'open');
        issued.count += 1;
        issued.carried += carried === 0n ? 0 : 1;
        issued.paid += rest.total === 0n ? 1 : 0;
      }
    }
    // The year had all of it.
    for (const count of Object.values(issued)) expect(count, JSON.stringify(issued)).to.be.above(0);
    for (const { account, ledger } of books) {
      const id = account.accountId.replaceAll('-', '');
      const [row] = await platform.running.services.database.rows<{ left: string }>(
        `SELECT CAST(COALESCE(SUM(remaining), 0) AS CHAR) AS \`left\` FROM billing_credit WHERE account_id = 0x${id}`,
      );
      expect(BigInt(row?.left ?? -1), `seed ${seed}`).to.equal(ledger.creditsLeft);
    }
    const numbers = await platform.running.services.database.rows<{ number: Buffer }>(
      'SELECT number FROM billing_invoice ORDER BY number',
    );
    expect(numbers.map(({ number }) => number.toString())).to.deep.equal(
      numbers.map((_, index) => `SVC-${String(index + 1).padStart(6, '0')}`),
    );
  });
});
