import type { WorkerServices } from '#core/kernel/worker-services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { type Clock, dayMs } from '#core/runtime/clock.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { completeWork, type Claim } from '#core/runtime/work/queue.js';
import { collectionQueue } from '../../invoices/queues.js';
import { isUnpaid } from '../../invoices/status.js';
import { invoices, type InvoiceRow } from '../../tables/invoice.js';
import type { PaymentAttemptRow } from '../../tables/payment.js';
import { findProvider } from '../../providers/find-provider.js';
import { knownAbout, type Known } from './attempts.js';
import { confirmDays, nextCollection, openAttempt } from './plan.js';
import { recordBegin, recordOutcome, recordWait, type Starter } from './record.js';
import { PaymentRefused, type PaymentProvider } from '../../providers/provider.js';
import { keepOpen, settleAttempt, type Settled } from './settle.js';

/** How to run a collection. */
interface CollectOptions {
  /**
   * Begin an attempt even if the next one is not due, unless one is open: an owner may be confirming it at this moment.
   */
  readonly now: boolean;
  /** The owner is there and can confirm the payment at their bank. */
  readonly ownerIsThere: boolean;
  readonly starter: Starter | null;
}

/** The result of a collection. */
interface Collected {
  readonly invoice: InvoiceRow;
  /** The provider's answer; null if it was not asked. */
  readonly settled: Settled | null;
}

/**
 * Works on an invoice's collection under a lease: checks the result of an open attempt, begins one if it is due, and
 * otherwise waits. The work is postponed or completed afterwards.
 * @returns null if the invoice no longer exists, or another worker took over
 * @throws PaymentUnavailable: the lease is still held
 */
export async function collectInvoice(
  services: WorkerServices,
  claim: Pick<Claim, 'id' | 'leaseToken'>,
  options: CollectOptions,
): Promise<Collected | null> {
  const { database, clock, deployment } = services;
  const invoice = await database.findOne(invoices, { id: claim.id });
  if (!invoice || !isUnpaid(invoice)) {
    await completeWork(database, collectionQueue, claim);
    return invoice && { invoice, settled: null };
  }
  const known = await knownAbout({ db: database, deployment }, invoice);
  const due = nextCollection(known);
  const isDue = due !== null && due <= clock.now();
  const open = await stillOpen(services, known, isDue && !options.ownerIsThere);
  const attempt = open ?? (options.now || isDue ? await recordBegin(services, claim) : null);
  const { payer } = known;
  const settled =
    attempt &&
    (payer
      ? await settleAttempt(services, { invoice, attempt, payer }, options.ownerIsThere)
      : await settleWithoutPayer(services, attempt));
  if (!attempt || !settled) {
    const after = await recordWait(services, claim);
    return after && { invoice: after, settled: null };
  }
  const after = await recordOutcome(services, { claim, attempt, payer, settled, starter: options.starter });
  if (settled.status === 'too_small') crashPoint('billing.carry.after');
  return after && { invoice: after, settled };
}

/**
 * The open attempt. An attempt that the owner has not confirmed is given up when the next one is due: a new mail asks
 * the owner again, and two payments are never open simultaneously.
 */
async function stillOpen(
  services: WorkerServices,
  { attempts, payer }: Known,
  isNextDue: boolean,
): Promise<PaymentAttemptRow | undefined> {
  const open = openAttempt(attempts);
  if (open?.status !== 'requires_action' || open.providerId === null || !payer) return open;
  const age = services.clock.now().getTime() - open.createdAt.getTime();
  if (!isNextDue && age < confirmDays * dayMs) return open;
  if (!(await isCancelled(payer.provider, open.providerId))) return open;
  await giveUp({ db: services.database, clock: services.clock }, open);
  return undefined;
}

/**
 * Checks the result of an attempt whose account no longer has a payment method because the provider no longer knows it.
 * An undecided payment is cancelled.
 * @returns null if the attempt's provider is not the present one, or does not know a payment that the bank was deciding
 * about: it cannot be asked
 */
async function settleWithoutPayer(services: WorkerServices, attempt: PaymentAttemptRow): Promise<Settled | null> {
  const { deployment } = services;
  const { provider: name, providerId } = attempt;
  const provider = findProvider(deployment);
  if (provider?.name !== name) return null;
  const ended = { status: 'failed', reason: 'The payment method was removed.', code: 'method_unusable' } as const;
  if (providerId === null) return ended;
  try {
    const state = await provider.cancelPayment(providerId);
    return state.status === 'unconfirmed' ? ended : state;
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    if (attempt.status === 'processing') return keepOpen(services, attempt, error);
    return { ...ended, reason: error.message };
  }
}

/**
 * Cancels a payment. A payment that the provider does not know, because the deployment used another provider account
 * then, counts as not made.
 */
async function isCancelled(provider: PaymentProvider, providerId: string): Promise<boolean> {
  try {
    return (await provider.cancelPayment(providerId)).status === 'failed';
  } catch (error) {
    if (error instanceof PaymentRefused) return true;
    throw error;
  }
}

/** Records that an attempt was given up, and that nothing was charged. */
export async function giveUp(
  { db, clock }: { readonly db: Pick<Session, 'run'>; readonly clock: Clock },
  { id }: Pick<PaymentAttemptRow, 'id'>,
): Promise<void> {
  await db.run(
    "UPDATE billing_payment_attempt SET status = 'given_up', ended_at = ? WHERE id = ? AND ended_at IS NULL",
    [clock.now(), idBytes(id)],
  );
}
