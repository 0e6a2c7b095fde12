import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { lanes, workRow, type Claim } from '#core/runtime/work/queue.js';
import { collectionQueue } from '../../invoices/queues.js';
import type { InvoiceRow } from '../../tables/invoice.js';

/** Longer than the provider's client waits for creating a payment, twice, and confirming it. */
const leaseSeconds = 270;

/**
 * The lease of a call that collects an invoice itself. The invoice is locked when the lease is taken, so only one call
 * has it at a time.
 */
export const ownClaim = (invoiceId: string): Pick<Claim, 'id' | 'leaseToken'> => ({
  id: invoiceId,
  leaseToken: idBytes(invoiceId),
});

/**
 * Leases the collection of an invoice to the caller, who has locked the invoice. If the process dies, a worker
 * continues once the lease expires.
 * @returns false if a worker or another call is collecting it
 */
export async function leaseCollection(
  db: Session,
  { id, accountId }: Pick<InvoiceRow, 'id' | 'accountId'>,
  now: Date,
): Promise<boolean> {
  const { table } = collectionQueue;
  const [row] = await db.rows<{ busy: number }>(
    `SELECT leased = 1 AND lease_until > NOW(3) AS busy FROM ${table} WHERE id = ? FOR UPDATE`,
    [idBytes(id)],
  );
  if (row?.busy === 1) return false;
  if (!row) {
    await db.run(insertInto(table, [workRow({ id, partitionId: accountId, lane: 'transactional', dueAt: now })]));
  }
  await db.run(
    `UPDATE ${table} SET leased = 1, lease_token = ?, lease_until = NOW(3) + INTERVAL ${leaseSeconds} SECOND, due_at = ? WHERE id = ?`,
    [ownClaim(id).leaseToken, now, idBytes(id)],
  );
  return true;
}

/** Whether a worker or a call is collecting an invoice now, or a worker will as soon as it is free. */
export async function isCollectionRunning(db: ReadSession, invoiceId: string, now: Date): Promise<boolean> {
  const [row] = await db.rows<{ running: number }>(
    `SELECT CASE leased WHEN 1 THEN lease_until > NOW(3) WHEN 0 THEN due_at <= ? ELSE FALSE END AS running FROM ${collectionQueue.table} WHERE id = ?`,
    [now, idBytes(invoiceId)],
  );
  return row?.running === 1;
}

/** Makes the collection of the account's unpaid invoices due, for example after a payment method was added. */
export async function hastenCollections(db: Session, accountId: string, now: Date): Promise<void> {
  await db.run(
    `INSERT INTO ${collectionQueue.table} (id, partition_id, lane, due_at, attempts, leased)
     SELECT id, account_id, ${lanes.transactional}, ?, 0, 0 FROM billing_invoice WHERE account_id = ? AND status IN ('open', 'past_due')
     ON DUPLICATE KEY UPDATE due_at = VALUES(due_at)`,
    [now, idBytes(accountId)],
  );
}
