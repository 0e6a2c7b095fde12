import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { actInAccount } from '../../accounts/account.js';
import { presentSummary } from '../../invoices/present.js';
import { isUnpaid, lockInvoice, markPaid, reopen, storeRefunded } from '../../invoices/status.js';
import { mailOwners } from '../../mails/mail-owners.js';
import { invoiceMails } from '../../mails/templates.js';
import { decimalsOf, formatAmount } from '../../money/micros.js';
import { emitUpdated, updateStanding } from '../../standing.js';
import type { InvoiceRow } from '../../tables/invoice.js';
import { paymentAttempts, type PaymentAttemptRow } from '../../tables/payment.js';
import { attemptsOf } from '../collection/attempts.js';
import { hastenCollections } from '../collection/lease.js';
import { auditPaid, reportPaid } from '../collection/record.js';
import type { Aftermath } from '../../providers/provider.js';

interface Locked {
  readonly context: FullContext;
  readonly invoice: InvoiceRow;
  readonly attempt: PaymentAttemptRow;
  /** Where account-level events are written. */
  readonly environments: readonly Environment[];
}

/**
 * Records what happened to a payment after it succeeded: refunds, and whether the bank has taken the money back or
 * returned it. Repeating a record changes nothing.
 */
export const recordAftermath = (
  services: Pick<WorkerServices, 'transaction'>,
  { id, invoiceId }: Pick<PaymentAttemptRow, 'id' | 'invoiceId'>,
  { refunded, takenBack }: Aftermath,
): Promise<void> =>
  services.transaction('Payment follow-up', async (context) => {
    const invoice = await lockInvoice(context.db, invoiceId);
    const attempt = await context.db.findOne(paymentAttempts, { id });
    if (!invoice || !attempt) return;
    const environments = await actInAccount(context, invoice.accountId);
    if (refunded !== attempt.refunded) await noteRefunded({ context, invoice, attempt, environments }, refunded);
    const after = { ...invoice, refunded: invoice.refunded + refunded - attempt.refunded };
    const locked = { context, invoice: after, attempt, environments };
    if (takenBack && attempt.status === 'succeeded') await noteTakenBack(locked, takenBack.reason);
    if (!takenBack && attempt.status === 'taken_back') await noteGivenBack(locked);
    crashPoint('billing.payment.aftermath');
  });

/** The invoice stays paid: an operator who refunded it does not want the money. */
async function noteRefunded({ context, invoice, attempt, environments }: Locked, refunded: bigint): Promise<void> {
  const { db, audit } = context;
  await updateAttempt(context, attempt, { refunded });
  const total = invoice.refunded + refunded - attempt.refunded;
  await storeRefunded(db, invoice.id, total);
  const show = (micros: bigint): string => formatAmount(micros, decimalsOf(invoice.currency));
  audit({
    operation: 'billing.invoice.pay',
    subject: { type: 'invoice', id: invoice.id },
    summary: `The payment provider has refunded ${show(total)} ${invoice.currency} of invoice ${invoice.number ?? ''}.`,
    changes: [{ field: 'refunded', from: show(invoice.refunded), to: show(total) }],
  });
  const after = { ...invoice, refunded: total };
  emitUpdated(context, environments, await updateStanding(context, invoice.accountId), after);
  if (total > invoice.refunded) await mailOwners(context, invoiceMails.refunded, after);
}

/** The invoice is open again. It is not collected automatically with the method whose payment was taken back. */
async function noteTakenBack({ context, invoice, attempt, environments }: Locked, why: string): Promise<void> {
  const { db, clock, audit, emit } = context;
  const at = clock.now();
  await updateAttempt(context, attempt, { status: 'taken_back', reason: why.slice(0, 500), endedAt: at });
  const others = (await attemptsOf(db, invoice.id)).filter(
    ({ id, status }) => id !== attempt.id && status === 'succeeded',
  );
  const reason = `The bank reversed the payment. ${why}`.slice(0, 500);
  const isReopened = others.length === 0 && (await reopen(db, invoice.id, { at, reason }));
  audit({
    operation: 'billing.invoice.pay',
    subject: { type: 'invoice', id: invoice.id },
    summary: `The bank reversed a payment of invoice ${invoice.number ?? ''}: ${why}`,
    changes: isReopened ? [{ field: 'status', from: 'paid', to: 'open' }] : [],
    unchanged: `the invoice was ${invoice.status}, and the bank reversed a payment of it: ${why}`,
  });
  if (!isReopened) return;
  const after = (await lockInvoice(db, invoice.id)) ?? invoice;
  await hastenCollections(db, invoice.accountId, at);
  for (const environment of environments)
    emit(
      'billing.payment.failed',
      { subjectId: invoice.accountId, data: { reason, invoice: presentSummary(after) } },
      environment,
    );
  await mailOwners(context, invoiceMails.takenBack, after);
}

/** The bank decided the dispute in favor of the deployment: the payment counts again. */
async function noteGivenBack({ context, invoice, attempt, environments }: Locked): Promise<void> {
  const { db, clock, audit } = context;
  const at = clock.now();
  await updateAttempt(context, attempt, { status: 'succeeded', reason: null, endedAt: at });
  if (isUnpaid(invoice) && (await markPaid(db, invoice.id, at))) {
    auditPaid(context, invoice, 'The bank returned the payment of');
    await reportPaid(context, environments, { ...invoice, status: 'paid', paidAt: at });
    return;
  }
  const summary = `Invoice ${invoice.number ?? ''} is ${invoice.status}, and the bank returned an earlier payment of it after a dispute: refund it at the provider.`;
  audit({ operation: 'billing.invoice.pay', subject: { type: 'invoice', id: invoice.id }, summary });
}

async function updateAttempt(
  { db }: Pick<FullContext, 'db'>,
  { id }: PaymentAttemptRow,
  changes: Partial<PaymentAttemptRow>,
): Promise<void> {
  await db.run(paymentAttempts.updateRow({ id }, changes));
}
