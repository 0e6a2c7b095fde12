import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { findBillingAccount } from '../accounts/account.js';
import { nextPeriod, periodOf, previousPeriod } from './months.js';

/**
 * The first month of an account that is not closed; null where nothing was used or set yet. It begins a month before the account was first
 * seen, because a fee may have been incurred then.
 */
export async function firstOpenPeriod(db: ReadSession, accountId: string): Promise<string | null> {
  const [row] = await db.rows<{ last: Buffer | null }>(
    'SELECT MAX(period) AS last FROM billing_month WHERE account_id = ? AND closed_at IS NOT NULL',
    [idBytes(accountId)],
  );
  if (row?.last) return nextPeriod(row.last.toString());
  const account = await findBillingAccount(db, accountId);
  return account && previousPeriod(periodOf(account.createdAt));
}
