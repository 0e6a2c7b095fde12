import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { billingAccounts, type BillingAccountRow } from '../tables/account.js';

/** What billing knows about an account; null if nothing has been used or set yet. */
export const findBillingAccount = (db: ReadSession, accountId: string): Promise<BillingAccountRow | null> =>
  db.findOne(billingAccounts, { accountId });

/**
 * Returns the account's row, locked until the transaction ends, and creates it if there is none. It is inserted before
 * it is read, so that two concurrent first calls do not deadlock.
 */
export async function lockBillingAccount(db: Session, accountId: string, now: Date): Promise<BillingAccountRow> {
  const id = idBytes(accountId);
  await db.run(
    `INSERT INTO billing_account (account_id, standing, created_at, updated_at) VALUES (?, 'good', ?, ?)
     ON DUPLICATE KEY UPDATE account_id = account_id`,
    [id, now, now],
  );
  const [found] = await db.rows<object>(
    `SELECT ${billingAccounts.columnList()} FROM billing_account WHERE account_id = ? FOR UPDATE`,
    [id],
  );
  if (!found) throw new Error(`The billing row of account ${accountId} is missing right after it was locked.`);
  return billingAccounts.decode(found);
}
