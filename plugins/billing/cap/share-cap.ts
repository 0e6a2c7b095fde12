import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { lockBillingAccount } from '../accounts/account.js';

/**
 * The cap of an account, in micro-units; null for none. Its row stays locked in shared mode until the transaction ends:
 * calls of one account hold the lock concurrently, and a call that changes the cap waits until they have ended.
 */
export async function shareCap(db: Session, accountId: string, at: Date): Promise<bigint | null> {
  const [row] = await db.prepared<{ cap: number | string | null }>(
    'SELECT cap FROM billing_account WHERE account_id = ? LOCK IN SHARE MODE',
    [idBytes(accountId)],
  );
  // The account's first usage creates the row.
  if (!row) return (await lockBillingAccount(db, accountId, at)).cap;
  return row.cap === null ? null : BigInt(row.cap);
}
