import { dayMs, shift } from '#core/runtime/clock.js';
import type { FullContext } from '#core/kernel/context.js';
import type { Session } from '#core/runtime/database/session.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { lockMonth } from '../periods/lock-month.js';
import { actInAccount, lockBillingAccount } from '../accounts/account.js';
import { dropReservations } from '../cap/cap.js';
import { applyCredits } from '../credits/credits.js';
import { deploymentSettings } from '../settings/deployment-settings.js';
import { rollUpBatch } from './roll-up.js';
import { currencyToStore } from '../settings/currency.js';
import { decimalsOf, formatAmount } from '../money/micros.js';
import { keepPrices } from '../periods/charged-prices.js';
import { pricesOf } from '../prices/price-list.js';
import { invoiceLines, invoices, untouched, type InvoiceRow } from '../tables/invoice.js';
import { tariffOf } from '../settings/tariff.js';
import { readContent, type Content } from '../invoices/content.js';
import { invoiceIdOf } from '../invoices/ids.js';
import { buyerOf, letterheadFor } from '../invoices/letterhead.js';
import { mailUncollectable } from '../mails/mail-owners.js';
import { queueCollection } from '../invoices/queues.js';

/**
 * Closes an account's month in one transaction. After the commit nothing is added to the month, and the invoice is
 * final: number, lines and used credits are stored, and its collection is queued. A month that is already closed stays
 * unchanged.
 * @returns the invoice; null if there is none because nothing was used, or if the month was already closed
 */
export async function closeMonth(context: FullContext, accountId: string, period: string): Promise<InvoiceRow | null> {
  const { db, clock, deployment } = context;
  const now = clock.now();
  // Another process may be adding usage to the totals. It has locked the rows and locks the account next, so this waits
  // for it.
  await db.rows(
    'SELECT id FROM billing_usage FORCE INDEX (waiting) WHERE is_rolled_up = 0 AND account_id = ? ORDER BY id FOR UPDATE',
    [idBytes(accountId)],
  );
  // Locks the account before the month, as metering does.
  await lockBillingAccount(db, accountId, now);
  const month = await lockMonth(db, accountId, period);
  if (month.closedAt !== null) return null;
  // Usage that committed earlier belongs to the month. Only what is in the totals is charged: usage that another
  // process adds after this transaction finds the month closed and counts in the next one.
  while ((await rollUpBatch(db, tariffOf(deployment), now, accountId)) > 0);
  await dropReservations(db, accountId, period);
  const content = await readContent(context, accountId, period, true);
  const prices = pricesOf(tariffOf(deployment).list, period);
  await keepPrices(db, prices, now);
  await db.run('UPDATE billing_month SET closed_at = ?, charged_digest = ? WHERE account_id = ? AND period = ?', [
    now,
    prices.digest,
    idBytes(accountId),
    Buffer.from(period),
  ]);
  return content.isInvoice ? issueInvoice(context, accountId, period, content) : null;
}

async function issueInvoice(
  context: FullContext,
  accountId: string,
  period: string,
  content: Content,
): Promise<InvoiceRow> {
  const { db, clock, deployment, wake, audit } = context;
  const { invoiceDueDays, invoicePrefix } = deployment.settingsOf(deploymentSettings);
  const currency = await currencyToStore(context);
  await actInAccount(context, accountId);
  const { accountName, details } = await buyerOf(context, accountId);
  const letterhead = await letterheadFor(context, accountId);
  const id = invoiceIdOf(accountId, period);
  const at = clock.now();
  const isPaid = content.total === 0n;
  const { subtotal, credit, taxPercent, tax, total, carried, creditUses } = content;
  const row: InvoiceRow = {
    ...{
      id,
      accountId,
      period,
      number: await nextNumber(db, invoicePrefix),
      status: isPaid ? 'paid' : 'open',
      currency,
    },
    ...untouched,
    ...{ subtotal, credit, taxPercent, tax, total, carried },
    ...{ letterhead, details, accountName },
    issuedAt: at,
    dueAt: shift(at, invoiceDueDays * dayMs),
    paidAt: isPaid ? at : null,
    createdAt: at,
  };
  await insertInvoice(db, row, content);
  await applyCredits(db, { id, accountId, at }, creditUses);
  if (!isPaid) {
    await queueCollection({ db, wake }, row);
    await mailUncollectable(context, row);
  }
  crashPoint('billing.issue');
  audit({
    operation: 'billing.invoice.issue',
    subject: { type: 'invoice', id },
    summary: `Issued invoice ${row.number} for ${period}: ${formatAmount(total, decimalsOf(currency))} ${currency}.`,
    changes: [
      { field: 'status', from: 'draft', to: row.status },
      { field: 'number', from: null, to: row.number },
    ],
  });
  return row;
}

async function insertInvoice(db: Session, row: InvoiceRow, { lines, fees, restoredFrom }: Content): Promise<void> {
  const inserted = invoices.insertRows([row]);
  await db.run(inserted);
  const rows = lines.map((line, position) => ({ invoiceId: row.id, position, ...line }));
  const insertedLines = invoiceLines.insertRows(rows);
  await db.run(insertedLines);
  if (fees.length > 0)
    await db.run('UPDATE billing_passthrough SET invoice_id = ? WHERE id IN (?)', [
      idBytes(row.id),
      fees.map((fee) => idBytes(fee.id)),
    ]);
  if (restoredFrom.length > 0)
    await db.run('UPDATE billing_invoice SET restored_to = ? WHERE id IN (?)', [
      idBytes(row.id),
      restoredFrom.map((id) => idBytes(id)),
    ]);
}

/**
 * The next invoice number. The counter stays locked until the transaction ends: numbers are committed in order, and a
 * number that is rolled back is used again, so numbers have no gaps.
 */
async function nextNumber(db: Session, prefix: string): Promise<string> {
  await db.run('UPDATE billing_invoice_sequence SET last = last + 1 WHERE id = 1');
  const [row] = await db.rows<{ last: string }>(
    'SELECT CAST(last AS CHAR) AS last FROM billing_invoice_sequence WHERE id = 1 FOR UPDATE',
  );
  if (!row) throw new Error('The counter of invoice numbers is missing.');
  return `${prefix}${row.last.padStart(6, '0')}`;
}
