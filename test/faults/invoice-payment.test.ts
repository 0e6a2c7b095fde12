import { expect } from 'chai';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#test/support/free-port.js';
import { needProducts } from '#test/support/products.js';
import { startStripe } from '#test/support/stripe.js';
import { textAt } from './support/call.js';
import { allDisconnected } from './support/leases.js';
import { neglectMonths, queueClose, segmentPrice } from './support/months.js';
import { openStage } from './support/stage.js';

/** Ends the leases of dead processes, and makes waiting work due. */
const freed = (db: ConnectedDatabase) =>
  db.run(
    'UPDATE billing_collection_queue SET leased = 0, lease_token = NULL, lease_until = NULL, due_at = UTC_TIMESTAMP(3)',
  );

async function statuses(db: ConnectedDatabase): Promise<string[]> {
  const rows = await db.rows<{ status: Buffer }>('SELECT status FROM billing_invoice');
  return rows.map(({ status }) => status.toString());
}

describe('An invoice whose nodes are killed between its issue, its collection and the record of it', function () {
  this.timeout(180_000);
  needProducts('billing');
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });

  /** A deployment with prices, whose account has a card. */
  async function withCard() {
    const prices = await segmentPrice('0.01');
    closes.push(() => prices.remove());
    const stripe = await startStripe();
    closes.push(() => stripe.close());
    const stage = await openStage();
    closes.push(() => stage.close());
    const settings = { SVC_PRICES_FILE: prices.path, SVC_PAYMENT_URL: stripe.paymentUrl };
    const first = await stage.start({ settings: { ...settings, SVC_PORT: String(await freePort()) } });
    const setup = await stage.askLive(first, 'billing.payment.setup', {});
    await stripe.enterCard(textAt(setup, 'url'), '4242424242424242');
    await stage.askLive(first, 'billing.payment.confirm', { setupId: textAt(setup, 'setupId') });
    await first.stop();
    return { stage, stripe, settings };
  }

  it('is issued once and charged once', async () => {
    const { stage, stripe, settings } = await withCard();
    const { db } = stage;
    const account = await neglectMonths(db, 1, 1_000);

    for (const fault of [
      'billing.close.before:2',
      'billing.issue:1',
      'billing.payment.creating:1',
      'billing.payment.created:1',
      'billing.payment.confirmed:1',
    ]) {
      await queueClose(db, account);
      await freed(db);
      const node = await stage.start({ fault, settings });
      await node.diedAtPoint();
      await allDisconnected(db);
      expect(await statuses(db), fault).to.deep.equal(fault.includes('payment') ? ['open'] : []);
    }
    // It was charged, and the node died before it recorded that.
    expect(stripe.charges()).to.have.length(1);
    await freed(db);
    const nodes = await Promise.all([stage.start({ settings }), stage.start({ settings })]);
    await eventually(async () => (await statuses(db))[0] === 'paid', 'the paid invoice', 60_000);
    expect(await statuses(db)).to.deep.equal(['paid']);
    expect(stripe.charges().map(({ amount, currency }) => ({ amount, currency }))).to.deep.equal([
      { amount: 1_150, currency: 'usd' },
    ]);
    for (const node of nodes) expect(await node.stop()).to.equal('0');
  });

  it('that is too small to collect is carried over once', async () => {
    const { stage, stripe, settings } = await withCard();
    const { db } = stage;
    // Its 11.50 are less than an account of Stripe takes that settles in another currency.
    stripe.takeAtLeast(2_000);
    const account = await neglectMonths(db, 1, 1_000);

    // Before the refusal is recorded, in the transaction that records it, and right after it.
    for (const fault of ['billing.carry.refused:1', 'billing.carry.written:1', 'billing.carry.after:1']) {
      await queueClose(db, account);
      await freed(db);
      const node = await stage.start({ fault, settings });
      await node.diedAtPoint();
      await allDisconnected(db);
      expect(await statuses(db), fault).to.deep.equal([fault.includes('after') ? 'void' : 'open']);
    }
    await freed(db);
    const nodes = await Promise.all([stage.start({ settings }), stage.start({ settings })]);
    const done = async (): Promise<boolean> => (await db.rows('SELECT id FROM billing_collection_queue')).length === 0;
    await eventually(done, 'the end of the work', 30_000);
    const rows = await db.rows<{ restored: string; open: number; records: number }>(
      `SELECT CAST(restored AS CHAR) AS restored,
         (SELECT COUNT(*) FROM billing_payment_attempt WHERE ended_at IS NULL) AS open,
         (SELECT COUNT(*) FROM svc_activity WHERE summary LIKE '%is carried over to a later one.') AS records
       FROM billing_invoice`,
    );
    expect(rows).to.deep.equal([{ restored: '11500000', open: 0, records: 1 }]);
    expect(stripe.charges()).to.deep.equal([]);
    for (const node of nodes) expect(await node.stop()).to.equal('0');
  });
});
