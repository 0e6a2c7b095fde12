import { expect } from 'chai';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { newId, idBytes } from '#core/runtime/id.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { allDisconnected } from './support/leases.js';
import { neglectMonths, queueClose, segmentPrice } from './support/months.js';
import { openStage } from './support/stage.js';

/** Months that are waiting to be closed. */
const backlog = 6;
/** Segments in each, half of them not rolled up yet, at 0.01. */
const segments = 1_000;

interface Facts {
  invoices: number;
  /** The invariants; each must be 0. */
  broken: number;
}

/** One statement, so that all counts are from the same moment. */
async function factsOf(db: ConnectedDatabase): Promise<Facts> {
  const [row] = await db.rows<{ invoices: number; broken: number }>(
    `SELECT (SELECT COUNT(*) FROM billing_invoice) AS invoices,
       (SELECT COUNT(*) FROM billing_month WHERE closed_at IS NOT NULL AND period >= (SELECT MIN(period) FROM billing_usage_total))
         <> (SELECT COUNT(*) FROM billing_invoice)
       OR (SELECT last FROM billing_invoice_sequence) <> (SELECT COUNT(*) FROM billing_invoice)
       OR (SELECT COUNT(DISTINCT number) FROM billing_invoice) <> (SELECT COUNT(*) FROM billing_invoice)
       OR (SELECT COUNT(DISTINCT period) FROM billing_invoice) <> (SELECT COUNT(*) FROM billing_invoice)
       OR (SELECT COUNT(*) FROM billing_invoice WHERE subtotal <> ${segments * 10_000} + 1500000 OR total <> subtotal - credit) > 0
       OR (SELECT SUM(amount - remaining) FROM billing_credit) <> (SELECT COALESCE(SUM(credit), 0) FROM billing_invoice)
       OR (SELECT COUNT(*) FROM billing_passthrough WHERE invoice_id IS NOT NULL) <> (SELECT COUNT(*) FROM billing_invoice)
       OR (SELECT COUNT(*) FROM svc_activity WHERE operation = 'billing.invoice.issue') <> (SELECT COUNT(*) FROM billing_invoice)
       AS broken`,
  );
  return { invoices: Number(row?.invoices), broken: Number(row?.broken) };
}

describe('A close of months whose nodes are killed again and again', function () {
  this.timeout(180_000);
  needProducts('billing');
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });

  it('leaves one invoice for each month, numbers without gaps, and each credit and fee used once', async () => {
    const prices = await segmentPrice('0.01');
    closes.push(() => prices.remove());
    const settings = { SVC_PRICES_FILE: prices.path };
    const stage = await openStage();
    closes.push(() => stage.close());
    const { db } = stage;
    const first = await stage.start({ settings });
    await first.stop();
    const account = await neglectMonths(db, backlog, segments);
    await db.run(
      `INSERT INTO billing_credit (id, account_id, amount, remaining, reason, created_at) VALUES (?, ?, 15000000, 15000000, 'Test', NOW(3) - INTERVAL 1 YEAR)`,
      [idBytes(newId()), account],
    );

    // Before a month's transaction; in it, with the invoice written; after it; and after the second of two more.
    let invoices = 0;
    for (const [fault, closed] of [
      ['billing.close.before:2', 0],
      ['billing.issue:1', 0],
      ['billing.close.after:1', 1],
      ['billing.issue:2', 1],
      ['billing.close.after:2', 2],
    ] as const) {
      await queueClose(db, account);
      const node = await stage.start({ fault, settings });
      await node.diedAtPoint();
      await allDisconnected(db);
      invoices += closed;
      expect(await factsOf(db), fault).to.deep.equal({ invoices, broken: 0 });
    }
    const nodes = await Promise.all([stage.start({ settings }), stage.start({ settings })]);
    await queueClose(db, account);
    const ended = async (): Promise<boolean> => (await db.rows('SELECT id FROM billing_close_queue')).length === 0;
    await eventually(async () => (await factsOf(db)).invoices === backlog, 'the last invoice', 60_000);
    await eventually(ended, 'the end of the work', 30_000);
    expect(await factsOf(db)).to.deep.equal({ invoices: backlog, broken: 0 });
    const [second] = await db.rows<{ credit: string }>(
      'SELECT CAST(credit AS CHAR) AS credit FROM billing_invoice ORDER BY period LIMIT 1 OFFSET 1',
    );
    expect(second?.credit).to.equal('3500000');
    for (const node of nodes) expect(await node.stop()).to.equal('0');
  });
});
