import type { FullContext } from '#core/kernel/context.js';
import type { InvoiceCommands } from '#core/kernel/operator-ports.js';
import { actInAccount } from '../accounts/act-in-account.js';
import { isUnpaid, lockInvoice, markPaid, markVoid } from '../invoices/status.js';
import { moneyOf } from '../money/micros.js';
import { emitUpdated, updateStanding } from '../standing/change-standing.js';
import { invoices, invoiceStatuses, type InvoiceRow } from '../tables/invoice.js';
import { attemptsOf } from './collection/attempts.js';
import { openAttempt } from './collection/plan.js';
import { auditPaid, reportPaid } from './collection/record.js';

/** Invoices that one listing shows. */
const listed = 500;

/** The statuses of invoices that have a number. */
const issuedStatuses: readonly string[] = invoiceStatuses.filter((status) => status !== 'draft');

/** Provides the port `invoiceCommands`, which `npm run billing` calls. */
export const makeInvoiceCommands = (context: FullContext): InvoiceCommands => ({
  async list(status) {
    if (status !== undefined && !issuedStatuses.includes(status))
      throw new Error(`An invoice has no status “${status}”: it is ${issuedStatuses.join(', ')}.`);
    const where = status === undefined ? '' : 'AND status = ?';
    const rows = await context.db.rows<object>(
      `SELECT ${invoices.columnList()} FROM billing_invoice WHERE number IS NOT NULL ${where} ORDER BY number DESC LIMIT ${listed}`,
      status === undefined ? [] : [Buffer.from(status)],
    );
    return rows.map((row) => lineOf(invoices.decode(row)));
  },

  async markPaid(number) {
    const invoice = await unpaid(context, number);
    const environments = await actInAccount(context, invoice.accountId);
    const at = context.clock.now();
    await markPaid(context.db, invoice.id, at);
    auditPaid(context, invoice, 'The operator marked as paid');
    await reportPaid(context, environments, { ...invoice, status: 'paid', paidAt: at });
    return `Invoice ${number} is paid.`;
  },

  async markVoid(number, reason) {
    if (reason.trim() === '')
      throw new Error('The reason is empty: say why for the audit record. Nothing was changed.');
    const invoice = await unpaid(context, number);
    const environments = await actInAccount(context, invoice.accountId);
    await markVoid(context.db, invoice.id, context.clock.now());
    context.audit({
      operation: 'billing.invoice.pay',
      subject: { type: 'invoice', id: invoice.id },
      summary: `The operator cancelled invoice ${number}: ${reason}`,
      changes: [{ field: 'status', from: invoice.status, to: 'void' }],
    });
    emitUpdated(context, environments, await updateStanding(context, invoice.accountId), {
      ...invoice,
      status: 'void',
    });
    return `Invoice ${number} is void.`;
  },
});

const lineOf = ({ number, period, status, accountName, total, currency, dueAt }: InvoiceRow): string => {
  const due = dueAt === null ? '' : `due ${dueAt.toISOString().slice(0, 10)}`;
  const money = moneyOf(total, currency);
  return [number ?? '', period, status, `${money.amount} ${money.currency}`, due, accountName ?? ''].join('  ');
};

/** @throws Error where there is no such invoice, it is not unpaid, or the provider may be charging for it */
async function unpaid({ db }: FullContext, number: string): Promise<InvoiceRow> {
  const found = await db.findOne(invoices, { number });
  const invoice = found && (await lockInvoice(db, found.id));
  if (!invoice) throw new Error(`There is no invoice ${number}. npm run billing -- list shows all.`);
  if (!isUnpaid(invoice)) throw new Error(`Invoice ${number} is ${invoice.status} already. Nothing was changed.`);
  const open = openAttempt(await attemptsOf(db, invoice.id));
  if (!open) return invoice;
  throw new Error(
    `A payment of invoice ${number} is ${open.status === 'requires_action' ? 'waiting for the owner' : 'under way'}. ` +
      `Cancel ${open.providerId ?? 'it'} at the payment provider, or wait until it has ended, then try again. Nothing was changed.`,
  );
}
