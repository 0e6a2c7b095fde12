import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { accounts, type AccountRow } from '../tables/account.js';

/** Holds the account's row until the transaction ends: for rules over several rows (the last owner), and changes of the account. */
export async function lockAccount(db: Session, caller: TenantCaller): Promise<AccountRow> {
  const { accountId } = caller.environment;
  await db.rows('SELECT id FROM account WHERE id = ? FOR UPDATE', [idBytes(accountId)]);
  const row = await db.findOne(accounts, { id: accountId });
  if (!row) throw new Error('A caller’s account is gone.');
  return row;
}
