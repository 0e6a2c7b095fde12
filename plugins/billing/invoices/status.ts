import { lockOne } from '#core/runtime/database/lock-one.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { lockBillingAccount } from '../accounts/account.js';
import { returnCredits } from '../credits/credits.js';
import { invoices, type InvoiceRow } from '../tables/invoice.js';
import type { FailureCode } from '../tables/failure-codes.js';
import { lockMonth } from '../periods/lock-month.js';

/*
 * The parts of an issued invoice that may change: its status, and what follows from payment. Each change is one
 * conditional statement, so that only one of two concurrent changes succeeds.
 */

/** An account's invoice for a month; null if none was issued. */
export const findInvoice = (db: ReadSession, accountId: string, period: string): Promise<InvoiceRow | null> =>
  db.findOne(invoices, { accountId, period });

/** The invoice with this id, locked until the transaction ends. */
export const lockInvoice = (db: Session, id: string): Promise<InvoiceRow | null> => lockOne(db, invoices, { id });

/** Whether an invoice is waiting to be paid. */
export const isUnpaid = ({ status }: Pick<InvoiceRow, 'status'>): boolean => status === 'open' || status === 'past_due';

/** open or past_due → paid. @returns false if it was neither */
export async function markPaid(db: Session, id: string, at: Date): Promise<boolean> {
  const { affectedRows } = await db.run(
    "UPDATE billing_invoice SET status = 'paid', paid_at = ? WHERE id = ? AND status IN ('open', 'past_due')",
    [at, idBytes(id)],
  );
  return affectedRows === 1;
}

/** open → past_due. @returns false if it was not open */
export async function markPastDue(db: Session, id: string): Promise<boolean> {
  const { affectedRows } = await db.run(
    "UPDATE billing_invoice SET status = 'past_due' WHERE id = ? AND status = 'open'",
    [idBytes(id)],
  );
  return affectedRows === 1;
}

/**
 * open or past_due → void: the credits that it used are returned, and what it took over or credited goes to a later
 * invoice.
 * @returns false if it was neither
 */
export async function markVoid(db: Session, id: string, at: Date): Promise<boolean> {
  const { affectedRows } = await db.run(
    "UPDATE billing_invoice SET status = 'void', voided_at = ? WHERE id = ? AND status IN ('open', 'past_due')",
    [at, idBytes(id)],
  );
  if (affectedRows !== 1) return false;
  await returnCredits(db, id);
  await restoreCarried(db, id, at);
  return true;
}

/**
 * open or past_due → void: a later invoice takes over the whole amount that credits have not paid, before tax. The
 * credits stay used.
 * @returns false if it was neither
 */
export async function markCarriedOver(
  db: Session,
  { id, accountId }: Pick<InvoiceRow, 'id' | 'accountId'>,
  at: Date,
): Promise<boolean> {
  // Valuing reversals and closing months also lock it, so neither is running now.
  await lockBillingAccount(db, accountId, at);
  const { affectedRows } = await db.run(
    `UPDATE billing_invoice SET status = 'void', voided_at = ?, carried_at = ?, restored = subtotal - credit,
       last_failed_at = NULL, last_failure = NULL, last_failure_code = NULL
     WHERE id = ? AND status IN ('open', 'past_due')`,
    [at, at, idBytes(id)],
  );
  return affectedRows === 1;
}

/**
 * Passes on what a cancelled invoice had taken over from others and credited for earlier months. Credits for its own
 * month on later invoices are taken back, because the month now costs nothing.
 */
async function restoreCarried(db: Session, id: string, at: Date): Promise<void> {
  const invoice = await db.findOne(invoices, { id });
  if (!invoice) return;
  const { accountId, period } = invoice;
  // Valuing reversals and closing months also lock it, so neither is running now.
  await lockBillingAccount(db, accountId, at);
  await lockMonth(db, accountId, period);
  await db.run(
    `UPDATE billing_invoice SET restored =
       (SELECT COALESCE(SUM(amount), 0) FROM billing_invoice_line WHERE invoice_id = ? AND kind IN ('carried_in', 'reversal'))
       + (SELECT COALESCE(SUM(amount), 0) FROM billing_reversal WHERE account_id = ? AND used_period = ?)
     WHERE id = ?`,
    [idBytes(id), idBytes(accountId), Buffer.from(period), idBytes(id)],
  );
}

/**
 * paid → open, because the bank took the payment back. It becomes past due as if it were due now.
 * @returns false if it was not paid
 */
export async function reopen(db: Session, id: string, { at, reason }: { at: Date; reason: string }): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE billing_invoice SET status = 'open', paid_at = NULL, taken_back_at = ?, failures = failures + 1, last_failed_at = ?,
       last_failure = ?, last_failure_code = 'taken_back' WHERE id = ? AND status = 'paid'`,
    [at, at, reason.slice(0, 500), idBytes(id)],
  );
  return affectedRows === 1;
}

/** Stores how much of an invoice was refunded. @param refunded micro-units */
export async function storeRefunded(db: Session, id: string, refunded: bigint): Promise<void> {
  await db.run('UPDATE billing_invoice SET refunded = ? WHERE id = ?', [refunded, idBytes(id)]);
}

/** Records that the bank is deciding about a payment: the last collection did not fail. */
export async function clearFailure(db: Session, id: string): Promise<void> {
  await db.run(
    'UPDATE billing_invoice SET last_failed_at = NULL, last_failure = NULL, last_failure_code = NULL WHERE id = ?',
    [idBytes(id)],
  );
}

/** Records that a collection failed, if the invoice is unpaid. @param reason at most 500 characters are kept */
export async function noteFailure(
  db: Session,
  id: string,
  { at, reason, code }: { at: Date; reason: string; code: FailureCode | null },
): Promise<void> {
  await db.run(
    `UPDATE billing_invoice SET failures = failures + 1, last_failed_at = ?, last_failure = ?, last_failure_code = ?
     WHERE id = ? AND status IN ('open', 'past_due')`,
    [at, reason.slice(0, 500), code === null ? null : Buffer.from(code), idBytes(id)],
  );
}
