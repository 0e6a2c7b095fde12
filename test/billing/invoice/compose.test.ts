import { expect } from 'chai';
import fc from 'fast-check';
import { byExpiry, composeInvoice, type UsableCredit } from '#plugins/billing/invoices/compose.js';

const day = 86_400_000;
const rules = { taxPercent: 0n, currency: 'USD', smallest: 0n };
const unit = 1_000_000n;

const credit = (
  id: string,
  remaining: bigint,
  expiresAt: Date | null = null,
  createdAt = new Date(0),
): UsableCredit => ({
  id,
  remaining,
  expiresAt,
  createdAt,
});

const credits = fc
  .array(
    fc.record({
      remaining: fc.bigInt(0n, 2n ** 62n),
      expiresAt: fc.option(fc.date({ min: new Date(0), max: new Date(10_000 * day), noInvalidDate: true })),
      createdAt: fc.date({ min: new Date(0), max: new Date(10_000 * day), noInvalidDate: true }),
    }),
    { maxLength: 6 },
  )
  .map((all) => all.map((each, index) => ({ ...each, id: `credit-${index}` })));

describe('What an invoice comes to', () => {
  it('adds up for any lines, credits, tax and smallest amount, up to 2^63', () => {
    const amounts = fc.array(fc.bigInt(-(2n ** 60n), 2n ** 60n), { maxLength: 8 });
    const taxPercent = fc.bigInt(0n, 990_000n);
    const smallest = fc.bigInt(0n, 5n * unit);
    fc.assert(
      fc.property(amounts, credits, taxPercent, smallest, (lines, given, percent, least) => {
        const made = composeInvoice(lines, given, { taxPercent: percent, currency: 'USD', smallest: least });
        const sum = lines.reduce((total, each) => total + each, 0n);
        // Nothing is lost: what the lines come to is paid, taken from credits, or moved to the next invoice.
        expect(made.subtotal + made.carried).to.equal(sum);
        expect(made.total).to.equal(made.subtotal - made.credit + made.tax);
        expect(made.creditUses.reduce((total, { amount }) => total + amount, 0n)).to.equal(made.credit);
        for (const { id, amount } of made.creditUses) {
          const of = given.find((each) => each.id === id);
          expect(amount > 0n && amount <= (of?.remaining ?? 0n)).to.equal(true);
        }
        for (const each of [made.subtotal, made.credit, made.tax, made.total])
          expect(each >= 0n, String(each)).to.equal(true);
        // The tax is the percentage of what it is due on, to half a micro-unit.
        const exact = (made.subtotal - made.credit) * percent;
        const off = made.tax * unit - exact;
        expect((off < 0n ? -off : off) * 2n <= unit).to.equal(true);
        // What is asked for can be collected.
        expect(made.total === 0n || (made.total >= least - 5_000n && made.total > 4_999n)).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('uses the credits that expire first, then the oldest, and the last one in part', () => {
    const given = [
      credit('without end', 5n * unit),
      credit('later', 5n * unit, new Date(20 * day)),
      credit('sooner, newer', 2n * unit, new Date(10 * day), new Date(2)),
      credit('sooner, older', 1n * unit, new Date(10 * day), new Date(1)),
    ];
    expect([...given].sort(byExpiry).map(({ id }) => id)).to.deep.equal([
      'sooner, older',
      'sooner, newer',
      'later',
      'without end',
    ]);
    const { creditUses, total } = composeInvoice([10n * unit], given, rules);
    expect(creditUses).to.deep.equal([
      { id: 'sooner, older', amount: 1n * unit },
      { id: 'sooner, newer', amount: 2n * unit },
      { id: 'later', amount: 5n * unit },
      { id: 'without end', amount: 2n * unit },
    ]);
    expect(total).to.equal(0n);
  });

  it('adds tax to what credits leave', () => {
    const made = composeInvoice([100n * unit], [credit('a', 40n * unit)], { ...rules, taxPercent: 190_000n });
    expect(made).to.include({ subtotal: 100n * unit, credit: 40n * unit, tax: 11_400_000n, total: 71_400_000n });
  });

  it('rounds the tax half to even', () => {
    const taxOf = (amount: bigint): bigint => composeInvoice([amount], [], { ...rules, taxPercent: 500_000n }).tax;
    expect(taxOf(1_000_001n)).to.equal(500_000n);
    expect(taxOf(1_000_003n)).to.equal(500_002n);
  });

  it('moves an amount below the smallest that can be collected to the next invoice, before tax', () => {
    const given = { taxPercent: 190_000n, currency: 'USD', smallest: 500_000n };
    // 0.42 with 19 % is 0.4998, which rounds to the smallest amount: it is collected.
    expect(composeInvoice([420_000n], [], given)).to.include({ total: 499_800n, carried: 0n });
    expect(composeInvoice([410_000n], [], given)).to.include({ subtotal: 0n, tax: 0n, total: 0n, carried: 410_000n });
    const inPart = composeInvoice([410_000n], [credit('a', 100_000n)], given);
    expect(inPart).to.include({ subtotal: 100_000n, credit: 100_000n, total: 0n, carried: 310_000n });
  });

  it('moves what rounds to nothing, whatever can be collected', () => {
    expect(composeInvoice([4_999n], [], rules)).to.include({ total: 0n, carried: 4_999n });
    expect(composeInvoice([5_001n], [], rules)).to.include({ total: 5_001n, carried: 0n });
  });

  it('moves a negative amount to the next invoice and uses no credit', () => {
    const made = composeInvoice([-3n * unit, 1n * unit], [credit('a', 5n * unit)], rules);
    expect(made).to.include({ subtotal: 0n, credit: 0n, total: 0n, carried: -2n * unit });
  });
});
