import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { findBillingAccount } from '../accounts/account.js';
import { nextPeriod, periodOf, previousPeriod } from './months.js';

/** The last closed month of an account; null if there is none. */
export async function lastClosedPeriod(db: Pick<ReadSession, 'rows'>, accountId: string): Promise<string | null> {
  const [row] = await db.rows<{ last: Buffer | null }>(
    'SELECT MAX(period) AS last FROM billing_month WHERE account_id = ? AND closed_at IS NOT NULL',
    [idBytes(accountId)],
  );
  return row?.last?.toString() ?? null;
}

/**
 * The month in which usage or a reversal of a month is charged: that month itself, or the first open one if it is
 * closed.
 * @param last the last closed month
 */
export const chargedPeriod = (last: string | null, period: string): string =>
  last === null || period > last ? period : nextPeriod(last);

/**
 * The first month of an account that is not closed; null if nothing has been used or set yet. It is at the earliest the
 * month before the account was first seen, because a fee may have been incurred then.
 */
export async function firstOpenPeriod(db: ReadSession, accountId: string): Promise<string | null> {
  const last = await lastClosedPeriod(db, accountId);
  if (last !== null) return nextPeriod(last);
  const account = await findBillingAccount(db, accountId);
  return account && previousPeriod(periodOf(account.createdAt));
}
