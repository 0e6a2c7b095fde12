import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { completeMany, lockLeases, postponeMany, type Claim } from '#core/runtime/work/queue.js';
import { actInAccount } from '../../accounts/account.js';
import { presentSummary } from '../../invoices/present.js';
import { collectionQueue } from '../../invoices/queues.js';
import {
  clearFailure,
  isUnpaid,
  lockInvoice,
  markCarriedOver,
  markPaid,
  markPastDue,
  noteFailure,
} from '../../invoices/status.js';
import { mailOwners } from '../../mails/mail-owners.js';
import { invoiceMails } from '../../mails/templates.js';
import { emitUpdated, updateStanding } from '../../standing.js';
import type { InvoiceRow } from '../../tables/invoice.js';
import { paymentAttempts, type PaymentAttemptRow } from '../../tables/payment.js';
import type { Failure } from '../../providers/provider.js';
import { beginAttempt, knownAbout } from './attempts.js';
import type { Payer } from '../../providers/find-provider.js';
import { nextStep, openAttempt, pastDueAt } from './plan.js';
import type { Settled } from './settle.js';

/** The call that started a collection. Its environment gets the events. */
export interface Starter {
  readonly environment: Environment;
}

type Claimed = Pick<Claim, 'id' | 'leaseToken'>;

/**
 * The locks that work on an invoice's collection holds: first the invoice, then the lease, in the order that calls lock
 * them.
 */
interface Locked {
  readonly context: FullContext;
  readonly invoice: InvoiceRow;
  /** Where account-level events are written. */
  readonly environments: readonly Environment[];
}

/**
 * Changes what is known about an invoice's collection, if the lease still holds, and postpones its work to when it
 * needs attention next.
 * @returns the invoice afterwards; null if the lease was lost or the invoice no longer exists
 */
async function change(
  services: WorkerServices,
  claim: Claimed,
  starter: Starter | null,
  work: (locked: Locked) => Promise<void>,
): Promise<InvoiceRow | null> {
  return services.transaction('Collection', async (context) => {
    const { db, clock } = context;
    const invoice = await lockInvoice(db, claim.id);
    if (!(await lockLeases(db, collectionQueue, [claim])).has(claim)) return null;
    if (!invoice) {
      await completeMany(db, collectionQueue, [claim]);
      return null;
    }
    const all = await actInAccount(context, invoice.accountId);
    const environments = starter ? [starter.environment] : all;
    await work({ context, invoice, environments });
    const changed = (await lockInvoice(db, claim.id)) ?? invoice;
    const after = await passDueDate({ context, invoice: changed, environments: all });
    const dueAt = isUnpaid(after) ? nextStep(await knownAbout(context, after), clock.now()) : null;
    if (dueAt === null) await completeMany(db, collectionQueue, [claim]);
    else await postponeMany(db, collectionQueue, [{ claim, dueAt }]);
    return after;
  });
}

/**
 * Begins an attempt, unless one is open or the invoice is paid. The work stays leased. @returns null if there is
 * nothing to collect
 */
export async function recordBegin(services: WorkerServices, claim: Claimed): Promise<PaymentAttemptRow | null> {
  return services.transaction('Collection', async (context) => {
    const invoice = await lockInvoice(context.db, claim.id);
    if (!(await lockLeases(context.db, collectionQueue, [claim])).has(claim)) return null;
    if (!invoice || !isUnpaid(invoice)) return null;
    const known = await knownAbout(context, invoice);
    if (openAttempt(known.attempts) || !known.payer) return null;
    return beginAttempt(context, { ...known, payer: known.payer });
  });
}

/**
 * Records the result of an attempt: invoice, events, mail, standing. @returns the invoice; null if another worker has
 * recorded it
 */
export const recordOutcome = (
  services: WorkerServices,
  { claim, attempt, payer, settled, starter }: Outcome,
): Promise<InvoiceRow | null> =>
  change(services, claim, starter, async (locked) => {
    const { context } = locked;
    const { db, actIn } = context;
    const [first] = locked.environments;
    if (first) actIn(first, attempt.activityId);
    const row = await db.findOne(paymentAttempts, { id: attempt.id });
    if (!row || row.endedAt !== null || (row.status === settled.status && settled.status !== 'failed')) return;
    await updateAttempt(context, row, settled);
    if (settled.status === 'succeeded') await paid(locked, starter);
    if (settled.status === 'too_small') await carriedOver(locked);
    // Clients must not show the failure of an earlier attempt as the present state.
    if (settled.status === 'processing') await clearFailure(db, locked.invoice.id);
    if (settled.status === 'requires_action')
      await failed(locked, { reason: 'The bank requires confirmation.', code: 'confirmation_needed' }, 'action');
    if (settled.status === 'failed') {
      if (settled.unknownCustomer && payer) await forgetPayer(context, locked.invoice, payer);
      // An owner who was asked to confirm it was on the page, and has seen it there.
      await failed(locked, settled, row.status === 'requires_action' ? null : 'failed');
    }
  });

interface Outcome {
  readonly claim: Claimed;
  readonly attempt: PaymentAttemptRow;
  /** Null if the account no longer has a payment method. */
  readonly payer: Payer | null;
  readonly settled: Settled;
  readonly starter: Starter | null;
}

/** Does what is due without a payment, then postpones the work. */
export const recordWait = (services: WorkerServices, claim: Claimed): Promise<InvoiceRow | null> =>
  change(services, claim, null, () => Promise.resolve());

/** Makes the account past due if the invoice has been overdue for a week. @returns the invoice afterwards */
async function passDueDate({ context, invoice, environments }: Locked): Promise<InvoiceRow> {
  const { db, clock, audit } = context;
  if (!isUnpaid(invoice)) return invoice;
  const at = pastDueAt(await knownAbout(context, invoice));
  if (at === null || at > clock.now() || !(await markPastDue(db, invoice.id))) return invoice;
  const overdue: InvoiceRow = { ...invoice, status: 'past_due' };
  audit({
    operation: 'billing.invoice.pay',
    subject: { type: 'invoice', id: invoice.id },
    summary: `Invoice ${invoice.number ?? ''} is past due: broadcasts are held.`,
    changes: [{ field: 'status', from: 'open', to: 'past_due' }],
  });
  emitUpdated(context, environments, await updateStanding(context, invoice.accountId), overdue);
  await mailOwners(context, invoiceMails.pastDue, overdue);
  return overdue;
}

async function updateAttempt({ db, clock }: FullContext, row: PaymentAttemptRow, settled: Settled): Promise<void> {
  const status = settled.status === 'too_small' ? 'failed' : settled.status;
  const isOpen = status === 'processing' || status === 'requires_action';
  const reason = 'reason' in settled ? settled.reason.slice(0, 500) : null;
  await db.run(paymentAttempts.updateRow({ id: row.id }, { status, reason, endedAt: isOpen ? null : clock.now() }));
}

/** The invoice is paid: its account may be in good standing again. */
async function paid({ context, invoice, environments }: Locked, starter: Starter | null): Promise<void> {
  const { db, clock, audit } = context;
  if (!(await markPaid(db, invoice.id, clock.now()))) {
    // An operator voided it in the meantime. The money was taken, so somebody must give it back.
    const summary = `Invoice ${invoice.number ?? ''} is ${invoice.status} and was collected anyway: refund it at the provider.`;
    audit({ operation: 'billing.invoice.pay', subject: { type: 'invoice', id: invoice.id }, summary });
    return;
  }
  if (!starter) auditPaid(context, invoice, 'Collected');
  await reportPaid(context, environments, { ...invoice, status: 'paid', paidAt: clock.now() });
}

/**
 * The amount is below the provider's minimum: a later invoice includes it. Nothing failed, so no email is sent,
 * and the account's standing does not suffer.
 */
async function carriedOver({ context, invoice, environments }: Locked): Promise<void> {
  const { db, clock, audit } = context;
  const at = clock.now();
  if (!(await markCarriedOver(db, invoice, at))) return;
  crashPoint('billing.carry.written');
  audit({
    operation: 'billing.invoice.pay',
    subject: { type: 'invoice', id: invoice.id },
    summary: `The payment provider does not collect so little: the amount of invoice ${invoice.number ?? ''} is carried over to a later one.`,
    changes: [{ field: 'status', from: invoice.status, to: 'void' }],
  });
  const after: InvoiceRow = { ...invoice, status: 'void', carriedAt: at, lastFailedAt: null };
  emitUpdated(context, environments, await updateStanding(context, invoice.accountId), after);
}

/** The audit record of an invoice that was paid without a call. */
export function auditPaid({ audit }: Pick<FullContext, 'audit'>, invoice: InvoiceRow, how: string): void {
  audit({
    operation: 'billing.invoice.pay',
    subject: { type: 'invoice', id: invoice.id },
    summary: `${how} invoice ${invoice.number ?? ''}.`,
    changes: [{ field: 'status', from: invoice.status, to: 'paid' }],
  });
}

/** Standing, event and receipt of an invoice that was just marked as paid. */
export async function reportPaid(
  context: FullContext,
  environments: readonly Environment[],
  invoice: InvoiceRow,
): Promise<void> {
  emitUpdated(context, environments, await updateStanding(context, invoice.accountId), invoice);
  await mailOwners(context, invoiceMails.receipt, invoice);
}

async function failed(
  { context, invoice, environments }: Locked,
  { reason, code }: Failure,
  mail: 'failed' | 'action' | null,
): Promise<void> {
  const { db, clock, emit } = context;
  const at = clock.now();
  await noteFailure(db, invoice.id, { at, reason, code });
  const after: InvoiceRow = { ...invoice, lastFailedAt: at, lastFailure: reason.slice(0, 500), lastFailureCode: code };
  const data = { reason: reason.slice(0, 500), invoice: presentSummary(after) };
  for (const environment of environments)
    emit('billing.payment.failed', { subjectId: invoice.accountId, data }, environment);
  if (mail !== null)
    await mailOwners(context, mail === 'failed' ? invoiceMails.failed : invoiceMails.actionRequired, after);
}

/** The provider no longer knows the account, which must add its payment method again. */
async function forgetPayer(
  { db, clock }: FullContext,
  { accountId }: InvoiceRow,
  { customerRef }: Payer,
): Promise<void> {
  await db.run(
    `UPDATE billing_account SET customer_ref = NULL, payment_method_ref = NULL, payment_method = NULL, updated_at = ?
     WHERE account_id = ? AND customer_ref = ?`,
    [clock.now(), idBytes(accountId), Buffer.from(customerRef)],
  );
}
