import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { accounts, type AccountRow } from '../tables/account.js';

/** The caller's account, locked until the transaction ends. Rules over several of its rows (the last owner) rely on this lock. */
export const lockAccount = (db: Session, { environment }: Pick<TenantCaller, 'environment'>): Promise<AccountRow> =>
  lockAccountWith(db, environment.accountId);

/** The same for an account without a caller. */
export async function lockAccountWith(db: Session, accountId: string): Promise<AccountRow> {
  const [row] = await db.rows<object>(`SELECT ${accounts.columnList()} FROM account WHERE id = ? FOR UPDATE`, [
    idBytes(accountId),
  ]);
  if (!row) throw new Error(`The account ${accountId} does not exist.`);
  return accounts.decode(row);
}
