import { lockOne } from '#core/runtime/database/lock-one.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { exactColumn, flagColumn, idColumn, nullable, textColumn, timeColumn } from '#core/runtime/database/columns.js';
import type { Session } from '#core/runtime/database/session.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const accounts = defineTable('account', {
  id: idColumn(),
  name: textColumn(120),
  country: nullable(exactColumn(2)),
  heardFrom: nullable(exactColumn(20)),
  heardFromDetail: nullable(textColumn(500)),
  /**
   * The mailbox key of the owner who opened the account and has proven the address. Unique, because one address opens
   * one account.
   */
  openedBy: nullable(exactColumn(254)),
  /** The deployment's own (first) account. */
  operator: flagColumn(),
  createdAt: timeColumn(),
  /** Null until its first change. */
  updatedAt: nullable(timeColumn()),
  closedAt: nullable(timeColumn()),
  closedReason: nullable(textColumn(500)),
});

export type AccountRow = RowOf<typeof accounts>;

/**
 * The caller's account, locked until the transaction ends. Rules that involve several of its rows (such as the last
 * owner) rely on this lock.
 */
export const lockAccount = (db: Session, { environment }: Pick<TenantCaller, 'environment'>): Promise<AccountRow> =>
  lockAccountWith(db, environment.accountId);

/** The same for an account without a caller. */
export async function lockAccountWith(db: Session, accountId: string): Promise<AccountRow> {
  const row = await lockOne(db, accounts, { id: accountId });
  if (!row) throw new Error(`The account ${accountId} does not exist.`);
  return row;
}
