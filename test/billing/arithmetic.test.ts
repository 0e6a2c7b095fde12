import { expect } from 'chai';
import fc from 'fast-check';
import {
  divideHalfEven,
  formatAmount,
  largestAmount,
  minorUnits,
  moneyOf,
  parseAmount,
  percentOf,
} from '#plugins/billing/money/micros.js';
import { pricesOf, type PriceList, type Tier } from '#plugins/billing/prices/price-list.js';
import { costOfUsage, priceUsage } from '#plugins/billing/prices/price-usage.js';
import { costOfUnits, dearestUnit, splitByTier } from '#plugins/billing/prices/tiers.js';

const unitPrices = fc.bigInt({ min: 0n, max: 10n ** 12n });
const quantities = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n });
const tiers = fc
  .tuple(
    fc.uniqueArray(fc.bigInt({ min: 1n, max: 2n ** 53n }), { maxLength: 6 }),
    fc.array(unitPrices, { minLength: 7 }),
  )
  .map(([ends, prices]): Tier[] => [
    ...ends.sort((a, b) => (a < b ? -1 : 1)).map((upTo, index): Tier => ({ upTo, unitPrice: prices[index] ?? 0n })),
    { upTo: null, unitPrice: prices[6] ?? 0n },
  ]);

/** What units cost by the product's own split, in micro-units. */
const costOf = (list: readonly Tier[], before: bigint, quantity: bigint): bigint =>
  splitByTier(list, before, quantity).reduce((sum, part) => sum + part.quantity * part.unitPrice, 0n);

/** One unit after the other, which is what graduated means. */
function costByUnits(list: readonly Tier[], count: bigint): bigint {
  let cost = 0n;
  for (let unit = 1n; unit <= count; unit += 1n)
    cost += list.find(({ upTo }) => upTo === null || unit <= upTo)?.unitPrice ?? 0n;
  return cost;
}

describe('Arithmetic with money', () => {
  it('reads and shows every amount up to 2^63 micro-units without a loss', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -largestAmount, max: largestAmount }),
        fc.integer({ min: 0, max: 6 }),
        (micros, decimals) => {
          expect(parseAmount(formatAmount(micros, decimals))).to.equal(micros);
        },
      ),
    );
    expect(formatAmount(12_500_000n)).to.equal('12.50');
    expect(formatAmount(400n)).to.equal('0.0004');
    expect(formatAmount(-1n, 0)).to.equal('-0.000001');
    for (const text of ['', '1.', '.5', '1e3', '1.0000001', '9223372036854.775808', ' 1', '1,5', 'NaN'])
      expect(parseAmount(text), text).to.equal(undefined);
    expect(moneyOf(5_000_000n, 'JPY')).to.deep.equal({ currency: 'JPY', amount: '5' });
  });

  it('rounds half to even, never off by more than a half', () => {
    expect([5n, 15n, 25n, -5n, -15n, 14n, 16n].map((each) => divideHalfEven(each, 10n))).to.deep.equal([
      0n,
      2n,
      2n,
      0n,
      -2n,
      1n,
      2n,
    ]);
    fc.assert(
      fc.property(quantities, fc.bigInt({ min: 1n, max: 10n ** 12n }), (dividend, divisor) => {
        const rest = dividend - divideHalfEven(dividend, divisor) * divisor;
        expect((rest < 0n ? -rest : rest) * 2n <= divisor).to.equal(true);
      }),
    );
    expect(minorUnits(12_345_000n, 'USD')).to.equal(1_234n);
    expect(minorUnits(12_355_000n, 'USD')).to.equal(1_236n);
    expect(percentOf(1_000_000n, 190_000n)).to.equal(190_000n);
  });
});

describe('Graduated prices', () => {
  it('cost what unit after unit costs', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.bigInt({ min: 1n, max: 60n }), { maxLength: 4 }),
        fc.array(unitPrices, { minLength: 5, maxLength: 5 }),
        fc.bigInt({ min: 0n, max: 80n }),
        (ends, prices, count) => {
          const list: Tier[] = [
            ...ends.sort((a, b) => (a < b ? -1 : 1)).map((upTo, index) => ({ upTo, unitPrice: prices[index] ?? 0n })),
            { upTo: null, unitPrice: prices[4] ?? 0n },
          ];
          expect(costOf(list, 0n, count)).to.equal(costByUnits(list, count));
        },
      ),
    );
  });

  it('cost the same however the units are split, reversals among them, up to 2^63', () => {
    fc.assert(
      fc.property(tiers, fc.array(quantities, { minLength: 1, maxLength: 12 }), (list, parts) => {
        const total = parts.reduce((sum, each) => sum + each, 0n);
        let before = 0n;
        let cost = 0n;
        for (const part of parts) {
          const split = splitByTier(list, before, part);
          expect(split.reduce((sum, { quantity }) => sum + quantity, 0n)).to.equal(part);
          cost += costOf(list, before, part);
          before += part;
        }
        expect(cost).to.equal(costOf(list, 0n, total));
      }),
    );
  });

  it('are given back in parts for what the units had cost together, whatever their order, and for no more', () => {
    fc.assert(
      fc.property(
        tiers,
        fc.bigInt({ min: 0n, max: 2n ** 53n }),
        fc.array(fc.bigInt({ min: 1n, max: 2n ** 53n }), { maxLength: 12 }),
        (list, used, parts) => {
          let left = used;
          let given = 0n;
          for (const part of parts) {
            const worth = costOfUnits(list, left) - costOfUnits(list, left - part);
            expect(worth >= 0n).to.equal(true);
            given += worth;
            left -= part;
          }
          expect(given).to.equal(costOfUnits(list, used) - costOfUnits(list, left));
          expect(given <= costOfUnits(list, used)).to.equal(true);
        },
      ),
    );
  });

  it('never cost more than the dearest tier', () => {
    fc.assert(
      fc.property(
        tiers,
        fc.bigInt({ min: 0n, max: 2n ** 63n }),
        fc.bigInt({ min: 0n, max: 2n ** 63n }),
        (list, before, count) => {
          expect(costOf(list, before, count) <= dearestUnit(list) * count).to.equal(true);
        },
      ),
    );
  });

  it('add up: the amounts of all rows are the price of the month, by country and meter', () => {
    const countries = fc.constantFrom('', 'DE', 'US', 'FR');
    const usage = fc.record({
      meter: fc.constantFrom('sms.segment', 'email.message', 'audience.contact'),
      country: countries,
      quantity: quantities,
    });
    fc.assert(
      fc.property(tiers, tiers, tiers, fc.array(usage, { maxLength: 30 }), (mail, anywhere, german, usages) => {
        const list: PriceList = {
          currency: 'USD',
          entries: [
            { meter: 'email.message', country: null, from: '2026-01', tiers: mail },
            { meter: 'sms.segment', country: null, from: '2026-01', tiers: anywhere },
            { meter: 'sms.segment', country: 'DE', from: '2026-01', tiers: german },
          ],
        };
        const sumOf = (fits: (each: (typeof usages)[number]) => boolean): bigint =>
          usages.filter(fits).reduce((sum, { quantity }) => sum + quantity, 0n);
        const wanted =
          costOf(
            mail,
            0n,
            sumOf(({ meter }) => meter === 'email.message'),
          ) +
          costOf(
            anywhere,
            0n,
            sumOf(({ meter, country }) => meter === 'sms.segment' && country !== 'DE'),
          ) +
          costOf(
            german,
            0n,
            sumOf(({ meter, country }) => meter === 'sms.segment' && country === 'DE'),
          );
        const prices = pricesOf(list, '2026-11');
        expect(costOfUsage(prices, usages)).to.equal(wanted);
        for (const { usage: each, parts, amount } of priceUsage(prices, usages)) {
          expect(parts.reduce((sum, { quantity }) => sum + quantity, 0n)).to.equal(each.quantity);
          expect(parts.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0n)).to.equal(amount);
        }
      }),
    );
  });
});
