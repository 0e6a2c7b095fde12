import type { Context } from '#core/kernel/context.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { isUnpaid, lockInvoice } from '../../invoices/status.js';
import type { InvoiceRow } from '../../tables/invoice.js';
import type { PaymentAttemptRow } from '../../tables/payment.js';
import { PaymentUnavailable } from '../../providers/provider.js';
import { beginAttempt, knownAbout } from './attempts.js';
import { collectInvoice } from './collect.js';
import { leaseCollection, ownClaim } from './lease.js';
import { openAttempt } from './plan.js';
import type { Settled } from './settle.js';
import { releaseUnavailable, warnUnavailable } from './work.js';

type Beginning = Pick<Context, 'db' | 'clock' | 'deployment' | 'startedBy'>;

/**
 * Takes over an invoice's collection, and begins an attempt unless one is open. The attempt is committed before the
 * provider is asked, so that a worker checks its result if the process dies.
 * @param invoice locked
 * @returns the attempt that is open now
 */
export async function takeOver(
  context: Beginning,
  invoice: InvoiceRow,
): Promise<PaymentAttemptRow | 'no_method' | 'busy'> {
  const known = await knownAbout(context, invoice);
  if (!known.payer) return 'no_method';
  if (!(await leaseCollection(context.db, invoice, context.clock.now()))) return 'busy';
  return openAttempt(known.attempts) ?? beginAttempt(context, { ...known, payer: known.payer });
}

/**
 * Pays an invoice while its owner is there and can be sent to their bank.
 * @returns the provider's answer, or that it did not answer; null if there was nothing to ask, or a worker or another
 * call is collecting the invoice
 */
export async function payWithOwner(
  services: WorkerServices,
  invoiceId: string,
): Promise<Settled | 'unavailable' | null> {
  const taken = await services.transaction('Invoice page', async (context) => {
    const invoice = await lockInvoice(context.db, invoiceId);
    return invoice && isUnpaid(invoice) ? takeOver(context, invoice) : null;
  });
  return taken !== null && typeof taken === 'object'
    ? settleNow(services, invoiceId, { now: true, ownerIsThere: true })
    : null;
}

/** Checks the result of an open attempt, for example after the owner was at their bank. */
export async function followUp(services: WorkerServices, invoiceId: string): Promise<void> {
  const isLeased = await services.transaction('Invoice page', async (context) => {
    const invoice = await lockInvoice(context.db, invoiceId);
    if (!invoice || !isUnpaid(invoice)) return false;
    if (!openAttempt((await knownAbout(context, invoice)).attempts)) return false;
    return leaseCollection(context.db, invoice, context.clock.now());
  });
  if (isLeased) await settleNow(services, invoiceId, { now: false, ownerIsThere: true });
}

async function settleNow(
  services: WorkerServices,
  invoiceId: string,
  how: { now: boolean; ownerIsThere: boolean },
): Promise<Settled | 'unavailable' | null> {
  try {
    return (await collectInvoice(services, ownClaim(invoiceId), { ...how, starter: null }))?.settled ?? null;
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
    warnUnavailable(services, error, invoiceId);
    await releaseUnavailable(services, ownClaim(invoiceId));
    return 'unavailable';
  }
}
