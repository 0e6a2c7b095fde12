import type { Context, ReadContext } from '#core/kernel/context.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { findBillingAccount } from '../../accounts/account.js';
import { roundToMinor } from '../../money/micros.js';
import type { InvoiceRow } from '../../tables/invoice.js';
import { paymentAttempts, type PaymentAttemptRow } from '../../tables/payment.js';
import { payerOf, type Payer } from '../../providers/find-provider.js';
import type { Situation } from './plan.js';

/** The attempts to collect an invoice, oldest first. */
export async function attemptsOf(db: ReadSession, invoiceId: string): Promise<PaymentAttemptRow[]> {
  const rows = await db.find(paymentAttempts, { invoiceId });
  return rows.sort((a, b) => a.attempt - b.attempt);
}

/** What is known about an invoice and its collection. */
export interface Known extends Situation {
  readonly invoice: InvoiceRow;
  readonly attempts: readonly PaymentAttemptRow[];
  readonly payer: Payer | null;
}

export async function knownAbout(
  { db, deployment }: Pick<ReadContext, 'db' | 'deployment'>,
  invoice: InvoiceRow,
): Promise<Known> {
  const attempts = await attemptsOf(db, invoice.id);
  const payer = payerOf(deployment, await findBillingAccount(db, invoice.accountId));
  const methodAddedAt = payer && (await methodAdded(db, invoice));
  return { invoice, attempts, payer, methodAddedAt };
}

/** When the account's payment method was added. */
async function methodAdded(db: ReadSession, { accountId, createdAt }: InvoiceRow): Promise<Date> {
  const [row] = await db.rows<{ at: Date | null }>(
    "SELECT MAX(ended_at) AS at FROM billing_payment_setup WHERE account_id = ? AND status = 'active'",
    [idBytes(accountId)],
  );
  return row?.at ?? createdAt;
}

/**
 * Begins an attempt: once it is committed, any process settles it by asking the provider. The caller has locked the
 * invoice and found no open attempt.
 */
export async function beginAttempt(
  { db, clock, startedBy }: Pick<Context, 'db' | 'clock' | 'startedBy'>,
  { invoice, attempts, payer }: Known & { readonly payer: Payer },
): Promise<PaymentAttemptRow> {
  const row: PaymentAttemptRow = {
    id: newId(),
    accountId: invoice.accountId,
    invoiceId: invoice.id,
    attempt: (attempts.at(-1)?.attempt ?? 0) + 1,
    provider: payer.provider.name,
    providerId: null,
    amount: roundToMinor(invoice.total, invoice.currency),
    status: 'started',
    refunded: 0n,
    reason: null,
    activityId: startedBy(),
    createdAt: clock.now(),
    endedAt: null,
  };
  await db.insert(paymentAttempts, row);
  return row;
}
