import { dayMs, hourMs, shift } from '#core/runtime/clock.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes } from '#core/runtime/id.js';
import { findProvider } from '../../providers/find-provider.js';
import { PaymentUnavailable } from '../../providers/provider.js';
import { paymentSetups } from '../../tables/payment.js';
import { setupMs, storeResult } from './from-page.js';

/** Setups that are read in one statement. */
const batchSize = 500;

/** An account that starts many setups must not make others wait: its latest ones are asked about. */
const setupsPerAccount = 5;

/** An outage of this length loses no payment method. */
const outageMs = 2 * dayMs;

/** Where the next batch begins: the latest setups come first. */
interface Place {
  readonly createdAt: Date;
  readonly id: Buffer;
}

/**
 * Asks the provider about recent setups whose owner has not returned from its page, and stores the methods that were
 * entered there: every 5 minutes in the first hour, then once an hour. The browser may have been closed before the
 * return, or svc may not have answered it. A setup without a method stays pending: the owner may still be on the page,
 * and no event should report that nobody used it.
 */
export async function followSetups(services: WorkerServices): Promise<void> {
  const { database, deployment, clock, log } = services;
  const provider = findProvider(deployment);
  if (!provider) return;
  const now = clock.now();
  const since = shift(now, -(setupMs + outageMs));
  const asked = new Map<string, number>();
  let before: Place | undefined = { createdAt: shift(now, dayMs), id: Buffer.alloc(16) };
  while (before) {
    const rows: object[] = await database.rows<object>(
      `SELECT ${paymentSetups.columnList()} FROM billing_payment_setup FORCE INDEX (started)
       WHERE status = 'pending' AND created_at >= ? AND (created_at < ? OR (created_at = ? AND id < ?))
         AND (created_at >= ? OR MOD(FLOOR(TIMESTAMPDIFF(SECOND, created_at, ?) / 300), 12) = 0)
         AND provider = ? AND provider_id IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT ?`,
      [
        since,
        before.createdAt,
        before.createdAt,
        before.id,
        shift(now, -hourMs),
        now,
        Buffer.from(provider.name),
        batchSize,
      ],
    );
    const setups = rows.map((row) => paymentSetups.decode(row));
    for (const setup of setups) {
      const count = asked.get(setup.accountId) ?? 0;
      if (setup.providerId === null || count >= setupsPerAccount) continue;
      asked.set(setup.accountId, count + 1);
      try {
        const state = await provider.readSetup(setup.providerId);
        if (state.status === 'active') await storeResult(services, setup, state, 'Payment follow-up');
      } catch (error) {
        // One setup, such as that of a closed account, must not keep the others from being stored.
        log.warn({ err: error, setupId: setup.id }, 'the result of a payment setup was not stored');
        if (error instanceof PaymentUnavailable) return;
      }
    }
    const last = setups.at(-1);
    before = last && setups.length === batchSize ? { createdAt: last.createdAt, id: idBytes(last.id) } : undefined;
  }
}
