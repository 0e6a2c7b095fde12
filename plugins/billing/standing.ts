import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext, Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { emailBroadcastHolds } from '#plugins/email/ports.js';
import { smsBroadcastHolds } from '#plugins/sms/ports.js';
import { lockBillingAccount } from './accounts/account.js';
import { presentSummary } from './invoices/present.js';
import type { BillingAccountRow } from './tables/account.js';
import type { InvoiceRow } from './tables/invoice.js';
import type { Standings } from './ports.js';

/**
 * Updates the account's standing after the status of one of its invoices changed: the account is past due while one of
 * them is. Broadcasts are held or continue in the same transaction.
 * @returns the account as it is now
 */
export async function updateStanding(context: FullContext, accountId: string): Promise<BillingAccountRow> {
  const { db, clock, use } = context;
  const now = clock.now();
  const account = await lockBillingAccount(db, accountId, now);
  const overdue = await db.rows("SELECT id FROM billing_invoice WHERE account_id = ? AND status = 'past_due' LIMIT 1", [
    idBytes(accountId),
  ]);
  const standing = overdue.length > 0 ? 'past_due' : 'good';
  if (standing === account.standing) return account;
  const pastDueSince = standing === 'past_due' ? now : null;
  await db.run('UPDATE billing_account SET standing = ?, past_due_since = ?, updated_at = ? WHERE account_id = ?', [
    Buffer.from(standing),
    pastDueSince,
    now,
    idBytes(accountId),
  ]);
  for (const port of [emailBroadcastHolds, smsBroadcastHolds])
    await (standing === 'past_due' ? use(port).holdForPastDue(accountId) : use(port).resumeAfterPayment(accountId));
  return { ...account, standing, pastDueSince };
}

/**
 * Reports a change of the standing, the payment method or the payment of an invoice, in each of the given environments.
 */
export function emitUpdated(
  { emit }: Pick<FullContext, 'emit'>,
  environments: readonly Environment[],
  { accountId, standing, paymentMethod, details }: BillingAccountRow,
  invoice: InvoiceRow | null,
): void {
  const data = { standing, paymentMethod, details, invoice: invoice && presentSummary(invoice) };
  for (const environment of environments) emit('billing.payment.updated', { subjectId: accountId, data }, environment);
}

/**
 * Provides the port `standings`. It locks the account's row against changes until the transaction ends. A broadcast
 * that is sent in the meantime is therefore either refused, or seen by the transaction that holds the account's
 * broadcasts (updateStanding).
 */
export const makeStandings = ({ db }: Pick<Context, 'db'>): Standings => ({
  async standing(accountId) {
    const [row] = await db.rows<{ standing: Buffer }>(
      'SELECT standing FROM billing_account WHERE account_id = ? LOCK IN SHARE MODE',
      [idBytes(accountId)],
    );
    return row?.standing.toString() === 'past_due' ? 'past_due' : 'good';
  },
});
