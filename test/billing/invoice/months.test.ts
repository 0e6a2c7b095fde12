import { expect } from 'chai';
import fc from 'fast-check';
import {
  addMonths,
  endOf,
  lastClosablePeriod,
  nextPeriod,
  periodOf,
  previousPeriod,
  startOf,
} from '#plugins/billing/periods/months.js';

describe('Months', () => {
  it('begin and end at midnight UTC', () => {
    expect(startOf('2026-11').toISOString()).to.equal('2026-11-01T00:00:00.000Z');
    expect(endOf('2026-12').toISOString()).to.equal('2027-01-01T00:00:00.000Z');
    expect(periodOf(new Date('2026-11-30T23:59:59.999Z'))).to.equal('2026-11');
    expect(periodOf(new Date('2026-12-01T00:00:00.000Z'))).to.equal('2026-12');
  });

  it('follow each other over years and leap days', () => {
    expect(nextPeriod('2026-12')).to.equal('2027-01');
    expect(previousPeriod('2028-01')).to.equal('2027-12');
    expect(addMonths('2026-11', -23)).to.equal('2024-12');
    expect(endOf('2028-02').getTime() - startOf('2028-02').getTime()).to.equal(29 * 86_400_000);
  });

  it('hold every instant exactly once', () => {
    const times = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, (at) => {
        const period = periodOf(at);
        expect(startOf(period) <= at && at < endOf(period)).to.equal(true);
        expect(previousPeriod(nextPeriod(period))).to.equal(period);
      }),
    );
  });

  it('may be closed one hour after their end', () => {
    expect(lastClosablePeriod(new Date('2026-12-01T00:59:59.999Z'))).to.equal('2026-10');
    expect(lastClosablePeriod(new Date('2026-12-01T01:00:00.000Z'))).to.equal('2026-11');
  });
});
