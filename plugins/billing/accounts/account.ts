import { lockOne } from '#core/runtime/database/lock-one.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { billingAccounts, type BillingAccountRow, type BillingDetails } from '../tables/account.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { BillingDetails as DetailsSchema, SavedBillingDetails } from '../resources.js';

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
  const found = await lockOne(db, billingAccounts, { accountId });
  if (!found) throw new Error(`The billing row of account ${accountId} is missing right after it was locked.`);
  return found;
}

/**
 * Makes the transaction of an operator's call, or of background work, act in the account's first live environment, so
 * that its audit record belongs to that account.
 * @returns its live environments, where account-level events are written
 * @throws not_found
 */
export async function actInAccount(
  { db, actIn, fail }: Pick<Context, 'db' | 'actIn' | 'fail'>,
  accountId: string,
): Promise<readonly [Environment, ...Environment[]]> {
  const [first, ...others] = await liveEnvironments(db, accountId);
  if (!first) throw fail.not_found({ thing: 'account', lookup: 'account.get with a key of that account' });
  actIn(first);
  return [first, ...others];
}

export const noDetails: BillingDetails = { name: null, address: null, taxId: null, email: null };

/** Billing details as replies carry them. The database orders the keys of JSON by their length. */
export const presentDetails = ({ name, address, taxId, email }: BillingDetails): ValueOf<typeof DetailsSchema> => ({
  name,
  address: address && {
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    region: address.region,
    postalCode: address.postalCode,
    country: address.country,
  },
  taxId,
  email,
});

/** When the details changed last, for `ifUnchangedSince`. Details that were never set are older than everything. */
export const detailsTime = ({ details, detailsUpdatedAt, createdAt }: BillingAccountRow): { updatedAt: Date } => ({
  updatedAt: detailsUpdatedAt ?? (details ? createdAt : new Date(0)),
});

/** The details as they can be changed; null if they were never set. */
export const presentSaved = (account: BillingAccountRow): ValueOf<typeof SavedBillingDetails> | null =>
  account.details && { ...presentDetails(account.details), updatedAt: detailsTime(account).updatedAt.toISOString() };
