import { dayMs } from '#core/runtime/clock.js';
import type { FullContext } from '#core/kernel/context.js';
import type { InvoiceCommands } from '../ports.js';
import { actInAccount } from '../accounts/account.js';
import { isUnpaid, lockInvoice, markPaid, markVoid } from '../invoices/status.js';
import { moneyOf } from '../money/micros.js';
import { emitUpdated, updateStanding } from '../standing.js';
import { invoices, invoiceStatuses, type InvoiceRow } from '../tables/invoice.js';
import type { PaymentAttemptRow } from '../tables/payment.js';
import { attemptsOf } from './collection/attempts.js';
import { confirmDays, openAttempt } from './collection/plan.js';
import { giveUp } from './collection/collect.js';
import { auditPaid, reportPaid } from './collection/record.js';
import { findProvider } from '../providers/find-provider.js';

/** Invoices that one listing shows. */
const listed = 500;

/** The statuses of invoices that have a number. */
const issuedStatuses: readonly string[] = invoiceStatuses.filter((status) => status !== 'draft');

/** Provides the port `invoiceCommands`, which `npm run billing` calls. */
export const makeInvoiceCommands = (context: FullContext): InvoiceCommands => ({
  async list(status) {
    if (status !== undefined && !issuedStatuses.includes(status))
      throw new Error(`Unknown invoice status “${status}”. Use one of: ${issuedStatuses.join(', ')}.`);
    const where = status === undefined ? '' : 'AND status = ?';
    const rows = await context.db.rows<object>(
      // Sorted by length first, because numbers beyond SVC-999999 are longer.
      `SELECT ${invoices.columnList()} FROM billing_invoice WHERE number IS NOT NULL ${where}
       ORDER BY LENGTH(number) DESC, number DESC LIMIT ${listed}`,
      status === undefined ? [] : [Buffer.from(status)],
    );
    return rows.map((row) => lineOf(invoices.decode(row)));
  },

  async markPaid(number, override = false) {
    const { invoice, assumed } = await unpaid(context, number, { command: `paid ${number}`, override });
    const environments = await actInAccount(context, invoice.accountId);
    const at = context.clock.now();
    await markPaid(context.db, invoice.id, at);
    auditPaid(context, invoice, 'The operator marked as paid');
    await reportPaid(context, environments, { ...invoice, status: 'paid', paidAt: at });
    return `Invoice ${number} is paid.${assumed}`;
  },

  async markVoid(number, reason, override = false) {
    if (reason.trim() === '')
      throw new Error('The reason is empty. State one for the audit record. Nothing was changed.');
    const { invoice, assumed } = await unpaid(context, number, { command: `void ${number} --reason "…"`, override });
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
    return `Invoice ${number} is void.${assumed}`;
  },
});

const lineOf = ({ number, period, status, accountName, total, currency, dueAt }: InvoiceRow): string => {
  const due = dueAt === null ? '' : `due ${dueAt.toISOString().slice(0, 10)}`;
  const money = moneyOf(total, currency);
  return [number ?? '', period, status, `${money.amount} ${money.currency}`, due, accountName ?? ''].join('  ');
};

interface Settling {
  /** What to run again with `--override`. */
  readonly command: string;
  readonly override: boolean;
}

/**
 * The locked invoice that is about to be settled by hand. If it has a payment whose state can no longer be queried,
 * that payment is given up.
 * @returns what that assumes, for people; empty if no payment is open
 * @throws Error if there is no such invoice, it is not unpaid, or the provider may be charging for it
 */
async function unpaid(
  context: FullContext,
  number: string,
  settling: Settling,
): Promise<{ invoice: InvoiceRow; assumed: string }> {
  const { db } = context;
  const found = await db.findOne(invoices, { number });
  const invoice = found && (await lockInvoice(db, found.id));
  if (!invoice) throw new Error(`There is no invoice ${number}. npm run billing -- list shows all invoices.`);
  if (!isUnpaid(invoice)) throw new Error(`Invoice ${number} is already ${invoice.status}. Nothing was changed.`);
  const open = openAttempt(await attemptsOf(db, invoice.id));
  if (!open) return { invoice, assumed: '' };
  const payment = open.providerId ?? 'it';
  const state = `A payment of invoice ${number} is ${open.status === 'requires_action' ? 'waiting for the owner' : 'being processed'}`;
  const isNamed = findProvider(context.deployment)?.name === open.provider;
  // The provider was asked and does not know it (collection/settle.ts).
  const isUnknown = open.reason !== null;
  if (isNamed && !isUnknown)
    throw new Error(
      `${state}. Cancel ${payment} at the payment provider, or wait until it has ended, then try again. Nothing was changed.`,
    );
  if (!settling.override && !isForgotten(context, open))
    throw new Error(
      `${state} at ${open.provider}, ${isNamed ? 'in another account than SVC_PAYMENT_URL names' : 'which SVC_PAYMENT_URL no longer names'}, so svc cannot query its result. ` +
        `Either point SVC_PAYMENT_URL to it again, or cancel ${payment} there and run npm run billing -- ${settling.command} --override, ` +
        'which assumes that it is never charged. Nothing was changed.',
    );
  await giveUp(context, open);
  return {
    invoice,
    assumed:
      open.providerId === null
        ? ''
        : ` This assumes that its payment ${open.providerId} at ${open.provider}, which ${isNamed ? 'SVC_PAYMENT_URL names with another account' : 'is no longer configured'}, is never charged. If it is, refund it there.`,
  };
}

/** Whether a payment was never created at the provider, or has waited so long that nobody will confirm it. */
const isForgotten = ({ clock }: Pick<FullContext, 'clock'>, { providerId, createdAt }: PaymentAttemptRow): boolean =>
  providerId === null || clock.now().getTime() - createdAt.getTime() >= confirmDays * dayMs;
