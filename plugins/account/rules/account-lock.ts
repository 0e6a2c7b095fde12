import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { accounts, type AccountRow } from '../tables/account.js';

/**
 * Holds the account's row until the transaction ends, for rules over several rows: the last owner, one member per address, the most
 * projects. Reads that follow see everything that committed before (READ COMMITTED).
 * @returns the account as it stands now
 */
export async function lockAccount(db: Session, accountId: string): Promise<AccountRow> {
  await db.rows('SELECT id FROM account WHERE id = ? FOR UPDATE', [idBytes(accountId)]);
  const account = await db.findOne(accounts, { id: accountId });
  if (!account) throw new Error('A caller stands without their account.');
  return account;
}
