import type { WorkerServices } from '#core/kernel/worker-services.js';
import { paymentAttempts } from '../../tables/payment.js';
import { findProvider } from '../../providers/find-provider.js';
import { PaymentRefused, PaymentUnavailable, type PaymentProvider } from '../../providers/provider.js';
import { recordAftermath } from './record.js';

/** Payments that are looked up in one statement. */
const batchSize = 500;

/**
 * Asks the provider which payments were refunded, disputed or returned since the last request, and records the results.
 * Only the provider's clock is used. If the process dies, or the provider does not answer, the same changes are read
 * again: recording them twice changes nothing.
 */
export async function followPayments(services: WorkerServices): Promise<void> {
  const { database, deployment, log } = services;
  const provider = findProvider(deployment);
  if (!provider) return;
  const name = Buffer.from(provider.name);
  try {
    const [feed] = await database.rows<{ read_until: Date }>(
      'SELECT read_until FROM billing_payment_feed WHERE provider = ?',
      [name],
    );
    const { providerIds, newest } = await provider.changedPayments(feed?.read_until ?? null);
    for (let from = 0; from < providerIds.length; from += batchSize)
      await followBatch(services, provider, providerIds.slice(from, from + batchSize));
    if (newest === null) return;
    await database.run(
      `INSERT INTO billing_payment_feed (provider, read_until) VALUES (?, ?)
       ON DUPLICATE KEY UPDATE read_until = GREATEST(read_until, VALUES(read_until))`,
      [name, newest],
    );
  } catch (error) {
    if (!(error instanceof PaymentUnavailable) && !(error instanceof PaymentRefused)) throw error;
    log.warn({ err: error }, 'the payment provider did not return its refunded and disputed payments');
  }
}

async function followBatch(
  services: WorkerServices,
  provider: PaymentProvider,
  providerIds: readonly string[],
): Promise<void> {
  const { database, log } = services;
  // Other systems may use the same account of the provider: their payments are not known here.
  const rows = await database.rows<object>(
    `SELECT ${paymentAttempts.columnList()} FROM billing_payment_attempt
     WHERE provider_id IN (?) AND provider = ? AND status IN ('succeeded', 'taken_back')`,
    [providerIds.map((id) => Buffer.from(id)), Buffer.from(provider.name)],
  );
  for (const attempt of rows.map((row) => paymentAttempts.decode(row))) {
    if (attempt.providerId === null) continue;
    try {
      await recordAftermath(services, attempt, await provider.readAftermath(attempt.providerId));
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      log.warn({ err: error, invoiceId: attempt.invoiceId }, 'the payment provider no longer knows a payment');
    }
  }
}
