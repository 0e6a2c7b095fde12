import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { newId, idBytes } from '#core/runtime/id.js';
import { addMonths, periodOf, startOf } from '#plugins/billing/invoices/months.js';
import { eventually } from '#test/support/eventually.js';
import { allDisconnected } from './support/leases.js';
import { openStage, type Stage } from './support/stage.js';

/** Months that wait to be closed. */
const backlog = 6;
/** Segments in each, half of them not rolled up yet, at 0.01. */
const segments = 1_000;

const dayIn = (period: string): number => Math.floor(startOf(period).getTime() / 86_400_000) + 9;

interface Facts {
  invoices: number;
  /** What must always hold; each 0. */
  broken: number;
}

/** One statement, so that all counts are of the same moment. */
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
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });

  /** Usage, fees and a credit of months that ended while nothing ran. @returns the account */
  async function neglect({ db }: Stage): Promise<Buffer> {
    const [own] = await db.rows<{ id: Buffer; account_id: Buffer; project_id: Buffer }>(
      "SELECT id, account_id, project_id FROM svc_environment WHERE kind = 'live' ORDER BY id LIMIT 1",
    );
    if (!own) throw new Error('There is no environment.');
    const present = periodOf(new Date());
    const since = startOf(addMonths(present, -backlog));
    await db.run(
      `INSERT INTO billing_account (account_id, standing, created_at, updated_at) VALUES (?, 'good', ?, ?)
       ON DUPLICATE KEY UPDATE created_at = VALUES(created_at)`,
      [own.account_id, since, since],
    );
    await db.run(
      `INSERT INTO billing_credit (id, account_id, amount, remaining, reason, created_at) VALUES (?, ?, 15000000, 15000000, 'Test', ?)`,
      [idBytes(newId()), own.account_id, since],
    );
    for (let ago = backlog; ago > 0; ago -= 1) {
      const period = addMonths(present, -ago);
      const [month, day] = [Buffer.from(period), dayIn(period)];
      await db.run(
        `INSERT INTO billing_usage_total (account_id, period, meter, project_id, day, country, is_test, quantity)
         VALUES (?, ?, 'sms.segment', ?, ?, 'DE', 0, ?)`,
        [own.account_id, month, own.project_id, day, segments / 2],
      );
      await db.run(
        `INSERT INTO billing_usage (id, account_id, period, meter, project_id, day, country, is_test, environment_id, quantity, source_id,
           reserved, is_rolled_up, created_at) VALUES (?, ?, ?, 'sms.segment', ?, ?, 'DE', 0, ?, ?, 'test', 0, 0, ?)`,
        [idBytes(newId()), own.account_id, month, own.project_id, day, own.id, segments / 2, since],
      );
      await db.run(
        `INSERT INTO billing_passthrough (id, account_id, period, description, amount, incurred_at, created_at)
         VALUES (?, ?, ?, 'A fee', 1500000, ?, ?)`,
        [idBytes(newId()), own.account_id, month, since, since],
      );
    }
    return own.account_id;
  }

  /** What the recurring job does, and the end of a dead process's lease, which would be valid for another half minute. */
  const queued = (db: ConnectedDatabase, account: Buffer) =>
    db.run(
      `INSERT INTO billing_close_queue (id, partition_id, lane, due_at, attempts, leased) VALUES (?, ?, 1, UTC_TIMESTAMP(3), 0, 0)
       ON DUPLICATE KEY UPDATE leased = 0, lease_token = NULL, lease_until = NULL, due_at = UTC_TIMESTAMP(3)`,
      [account, account],
    );

  it('leaves one invoice for each month, numbers without gaps, and each credit and fee used once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-prices-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'prices.json');
    const tiers = [{ upTo: null, unitPrice: '0.01' }];
    await writeFile(
      path,
      JSON.stringify({ currency: 'USD', prices: [{ meter: 'sms.segment', from: '2020-01', tiers }] }),
    );
    const settings = { SVC_PRICES_FILE: path };
    const stage = await openStage();
    closes.push(() => stage.close());
    const { db } = stage;
    const first = await stage.start({ settings });
    await first.stop();
    const account = await neglect(stage);

    // Before a month's transaction; in it, with the invoice written; after it; and after the second of two more.
    let invoices = 0;
    for (const [fault, closed] of [
      ['billing.close.before:2', 0],
      ['billing.issue:1', 0],
      ['billing.close.after:1', 1],
      ['billing.issue:2', 1],
      ['billing.close.after:2', 2],
    ] as const) {
      await queued(db, account);
      const node = await stage.start({ fault, settings });
      await node.diedAtPoint();
      await allDisconnected(db);
      invoices += closed;
      expect(await factsOf(db), fault).to.deep.equal({ invoices, broken: 0 });
    }
    const nodes = await Promise.all([stage.start({ settings }), stage.start({ settings })]);
    await queued(db, account);
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
