import { expect } from 'chai';
import type { Session } from '#core/runtime/database/session.js';
import { markPaid, markPastDue, markVoid, noteFailure } from '#plugins/billing/invoices/status.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth, meter, operatorOf, usageOf } from '#test/billing/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

describe('The status of an invoice', () => {
  const prices = usePrices([flat('sms.segment', '0.01')]);
  const platform = usePlatform({ settings: prices });
  const inTransaction = <T>(work: (db: Session) => Promise<T>): Promise<T> =>
    platform.running.services.database.transaction(work);

  async function issued(account: TestAccount): Promise<{ id: string; period: string }> {
    await meter(platform, account.live, usageOf('sms.segment', 1_000));
    const period = endMonth(platform);
    await closeMonths(platform);
    const { invoice } = await account.svc.call('billing.invoice.get', { period });
    expect(invoice.status).to.equal('open');
    return { id: invoice.id, period };
  }

  it('becomes past due and paid, once each, and changes nothing else', async () => {
    const account = await platform.account();
    const { id, period } = await issued(account);
    const read = async () => (await account.svc.call('billing.invoice.get', { period })).invoice;
    const before = await read();
    const race = (change: (db: Session) => Promise<boolean>): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 4 }, () => inTransaction(change)));
    expect((await race((db) => markPastDue(db, id))).filter(Boolean)).to.have.length(1);
    expect(await read()).to.deep.equal({ ...before, status: 'past_due' });

    const at = platform.clock.now();
    await inTransaction((db) => noteFailure(db, id, { at, code: null, reason: 'The card was declined.' }));
    const lastFailure = { at: at.toISOString(), reason: 'The card was declined.' };
    expect(await read()).to.deep.equal({ ...before, status: 'past_due', lastFailure });

    expect((await race((db) => markPaid(db, id, at))).filter(Boolean)).to.have.length(1);
    const paid = { ...before, status: 'paid', paidAt: at.toISOString(), lastFailure };
    expect(await read()).to.deep.equal(paid);
    // A paid invoice stays as it is.
    expect(await inTransaction((db) => markPastDue(db, id))).to.equal(false);
    expect(await inTransaction((db) => markVoid(db, id, at))).to.equal(false);
    await inTransaction((db) => noteFailure(db, id, { at, code: null, reason: 'Too late.' }));
    expect(await read()).to.deep.equal(paid);
  });

  it('becomes void, and gives back the credits that it used, but not those that were reversed', async () => {
    const account = await platform.account();
    const { accountId } = account;
    const operator = operatorOf(platform);
    const grant = { accountId, amount: '2', reason: 'For a test' };
    const { credit: kept } = await operator.call('billing.credit.record', grant);
    const { credit: reversed } = await operator.call('billing.credit.record', grant);
    const { id, period } = await issued(account);
    await operator.call('billing.credit.reverse', { creditId: reversed.id, reason: 'For a test' });
    expect(await inTransaction((db) => markVoid(db, id, platform.clock.now()))).to.equal(true);
    expect((await account.svc.call('billing.invoice.get', { period })).invoice).to.include({
      status: 'void',
      credit: '4.00',
    });
    const { credit } = await account.svc.call('billing.get', {});
    expect(credit.credits.map((each) => [each.id, each.remaining.amount])).to.deep.equal([
      [reversed.id, '0.00'],
      [kept.id, '2.00'],
    ]);
    expect(await inTransaction((db) => markPaid(db, id, platform.clock.now()))).to.equal(false);
    expect(await inTransaction((db) => markVoid(db, id, platform.clock.now()))).to.equal(false);
  });
});
