import { accountTurns } from '#core/kernel/environment/turns.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import { postponeWork, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import { collectionQueue } from '../../invoices/queues.js';
import { PaymentUnavailable } from '../../providers/provider.js';
import { deploymentSettings } from '../../settings/deployment-settings.js';
import { collectInvoice } from './collect.js';
import { pastDueDays } from './plan.js';

/**
 * If a provider did not answer, it is asked again after this time. An invoice that had to wait for a trusted time is
 * also checked again after it.
 */
const unavailableMs = 10 * 60_000;

/** Invoices that were issued before SVC_INVOICE_DUE_DAYS was lowered wait longer than it says. */
const leastDueDays = 37;

/**
 * An unpaid invoice needs attention at the latest when it makes its account past due (plan.ts). Checking it earlier
 * changes nothing. One more day is for clocks that differ.
 */
const longestWaitMs = ({ deployment }: Pick<WorkerServices, 'deployment'>): number =>
  (Math.max(deployment.settingsOf(deploymentSettings).invoiceDueDays, leastDueDays) + pastDueDays + 1) * dayMs;

/** Returns the lease of an invoice whose provider did not answer: a worker asks for the result of the attempt again. */
export async function releaseUnavailable(
  { database, clock }: Pick<WorkerServices, 'database' | 'clock'>,
  claim: Pick<Claim, 'id' | 'leaseToken'>,
): Promise<void> {
  await postponeWork(database, collectionQueue, claim, shift(clock.now(), unavailableMs));
}

/** Logs why an invoice could not be collected now. A wrong setup is an error, because only the operator can end it. */
export function warnUnavailable(
  { log }: Pick<WorkerServices, 'log'>,
  error: PaymentUnavailable,
  invoiceId: string,
): void {
  if (error.isSetup)
    log.error(
      { err: error, invoiceId },
      'the payment provider refused a payment because of how this deployment is set up: check SVC_PAYMENT_URL and the account at the provider; invoices stay open until then',
    );
  else log.warn({ err: error, invoiceId }, 'the payment provider did not respond');
}

/**
 * The queue of issued invoices. Its work collects them, follows payments that take days, and makes accounts past due.
 */
export const collectionWork = (services: WorkerServices): WorkQueue => ({
  ...collectionQueue,
  concurrency: 4,
  excludedPartitions: [],
  longestWaitMs: longestWaitMs(services),
  turnsOf: accountTurns,
  perPartition: () => 1,
  async perform(claim) {
    const { database, clock } = services;
    if (!clock.isTrusted()) {
      await postponeWork(database, collectionQueue, claim, shift(clock.now(), unavailableMs));
      return;
    }
    try {
      await collectInvoice(services, claim, { now: false, ownerIsThere: false, starter: null });
    } catch (error) {
      if (!(error instanceof PaymentUnavailable)) throw error;
      warnUnavailable(services, error, claim.id);
      await releaseUnavailable(services, claim);
    }
  },
});
