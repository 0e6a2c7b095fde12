import { hourMs, minuteMs } from '#core/runtime/clock.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import type { InvoiceRow } from '../../tables/invoice.js';
import { paymentAttempts, type PaymentAttemptRow } from '../../tables/payment.js';
import { invoicePageUrl } from '../../accounts/links.js';
import { PaymentRefused, PaymentUnavailable, type PaymentState } from '../../providers/provider.js';
import type { Payer } from '../../providers/find-provider.js';
import { isProviderProblem } from '../refusals.js';

/** The result of an attempt, without anything that a mail or an event must not contain. */
export type Settled =
  | (Exclude<PaymentState, { status: 'unconfirmed' }> & { readonly unknownCustomer?: boolean })
  /** The provider does not collect so little: the next invoice takes the amount over. */
  | { readonly status: 'too_small'; readonly reason: string };

/**
 * Asks the provider to collect, or for the result of an attempt. No matter who asks and how often, the invoice is
 * charged once: the provider's payment is created without charging anything, its id is committed, and only the payment
 * with that id is ever charged.
 * @param ownerIsThere the owner can confirm the payment at their bank now
 * @returns null if the bank was deciding and the provider no longer knows the payment: the attempt stays open
 * @throws PaymentUnavailable: nothing is known, or the provider refused for a reason that is not about the payer, and
 * asking again is safe
 */
export async function settleAttempt(
  services: WorkerServices,
  { invoice, attempt, payer }: { invoice: InvoiceRow; attempt: PaymentAttemptRow; payer: Payer },
  ownerIsThere: boolean,
): Promise<Settled | null> {
  const { provider, methodRef } = payer;
  const confirm = (providerId: string): Promise<PaymentState> =>
    provider.confirmPayment({
      providerId,
      methodRef,
      ownerIsThere,
      returnUrl: `${invoicePageUrl(services, invoice.id)}&returned=1`,
    });
  try {
    const isNew = attempt.providerId === null;
    const providerId = attempt.providerId ?? (await createPayment(services, { invoice, attempt, payer }));
    crashPoint('billing.payment.created');
    const known: PaymentState = isNew ? { status: 'unconfirmed' } : await provider.readPayment(providerId);
    const needsOwner = known.status === 'requires_action' && known.url === null && ownerIsThere;
    const state = known.status === 'unconfirmed' || needsOwner ? await confirm(providerId) : known;
    crashPoint('billing.payment.confirmed');
    if (state.status === 'unconfirmed') throw new Error(`The payment ${providerId} was confirmed but does not exist.`);
    if (attempt.reason !== null) await noteUnknown(services, attempt, null);
    return state;
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    if (attempt.status === 'processing') return keepOpen(services, attempt, error);
    if (error.about === 'too_small') {
      crashPoint('billing.carry.refused');
      return { status: 'too_small', reason: error.message };
    }
    if (error.about === 'deployment') throw new PaymentUnavailable(error.message, { cause: error }, false, true);
    return { status: 'failed', reason: error.message, code: null, unknownCustomer: error.unknownCustomer };
  }
}

/**
 * Keeps an attempt open that the bank was deciding about and that the provider refuses to report, because the
 * deployment uses another account of the provider now. The bank may still charge it, so nothing else may be collected.
 */
export async function keepOpen(
  services: Pick<WorkerServices, 'database' | 'log'>,
  attempt: PaymentAttemptRow,
  refused: PaymentRefused,
): Promise<null> {
  const { invoiceId, providerId } = attempt;
  services.log.warn(
    { err: refused, invoiceId, payment: providerId },
    'the payment provider does not know a payment that the bank is deciding about: point SVC_PAYMENT_URL to the account of the provider in which it began, or settle the invoice with npm run billing',
  );
  await noteUnknown(services, attempt, refused.message);
  return null;
}

/** Stores why the provider cannot be asked about an open attempt; null if it can. */
async function noteUnknown(
  { database }: Pick<WorkerServices, 'database'>,
  { id }: PaymentAttemptRow,
  reason: string | null,
): Promise<void> {
  await database.run('UPDATE billing_payment_attempt SET reason = ? WHERE id = ? AND ended_at IS NULL', [
    reason?.slice(0, 500) ?? null,
    idBytes(id),
  ]);
}

/**
 * Creates the provider's payment of an attempt, and commits its id. If several are created, only the one whose id was
 * committed first is ever charged.
 * @returns that id
 */
async function createPayment(
  { database, clock }: WorkerServices,
  { invoice, attempt, payer }: { invoice: InvoiceRow; attempt: PaymentAttemptRow; payer: Payer },
): Promise<string> {
  const { provider, customerRef, methodRef } = payer;
  const age = clock.now().getTime() - attempt.createdAt.getTime();
  // If the owner adds another method before the payment is created, that is a different request. A method belongs to
  // one customer.
  const create = (window: string): Promise<string> =>
    provider.createPayment({
      attemptId: attempt.id,
      key: `${attempt.id}-${methodRef}-${window}`,
      customerRef,
      methodRef,
      amount: attempt.amount,
      currency: invoice.currency,
      description: `Invoice ${invoice.number ?? invoice.period}`,
    });
  // The same key finds a payment whose id was lost on the way. A failure that the provider has stored under it must
  // not last, so another key is used then.
  const created = await create(`${Math.floor(age / hourMs)}`).catch((error: unknown) => {
    if (!isProviderProblem(error) || !error.isStored) throw error;
    // What is too small stays so.
    if (error instanceof PaymentRefused && error.about === 'too_small') throw error;
    return create(`again-${Math.floor(age / (5 * minuteMs))}`);
  });
  crashPoint('billing.payment.creating');
  await database.run('UPDATE billing_payment_attempt SET provider_id = ? WHERE id = ? AND provider_id IS NULL', [
    Buffer.from(created),
    idBytes(attempt.id),
  ]);
  const row = await database.findOne(paymentAttempts, { id: attempt.id });
  // This process was slow, and another one has ended the attempt: its payment must not be charged beside a later one.
  if (row && row.endedAt !== null)
    throw new PaymentUnavailable('The attempt ended while its payment was being created.', {}, false);
  if (row?.providerId == null) throw new Error(`The attempt ${attempt.id} lost the id of its payment.`);
  return row.providerId;
}
