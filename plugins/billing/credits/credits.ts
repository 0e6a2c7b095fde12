import { dayMs } from '#core/runtime/clock.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { endOf } from '../periods/months.js';
import { creditApplications, credits, type CreditRow } from '../tables/credit.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { moneyOf } from '../money/micros.js';
import type { Credit } from '../resources.js';

/** The account's credits, newest first. @param most how many at most */
export const creditsOf = (db: ReadSession, accountId: string, most = 100): Promise<CreditRow[]> =>
  db
    .select(credits, 'credit')
    .where('credit.account_id = :account', { account: idBytes(accountId) })
    .orderBy('credit.id', 'DESC')
    .limit(most)
    .getMany();

/** What is left of the account's unexpired credits, in micro-units. */
export async function creditBalance(db: ReadSession, accountId: string, now: Date): Promise<bigint> {
  const [row] = await db.rows<{ balance: string }>(
    `SELECT CAST(COALESCE(SUM(remaining), 0) AS CHAR) AS balance FROM billing_credit
     WHERE account_id = ? AND (expires_at IS NULL OR expires_at > ?)`,
    [idBytes(accountId), now],
  );
  return BigInt(row?.balance ?? '0');
}

/**
 * The credits that may pay for a month, with what is left of them. They were granted before the end of the month, and
 * are valid on its last day, or on part of that day.
 * @param lock locks them until the transaction ends, before they are used
 */
export async function usableCredits(
  db: ReadSession,
  accountId: string,
  period: string,
  lock: '' | ' FOR UPDATE' = '',
): Promise<CreditRow[]> {
  const rows = await db.rows<object>(
    `SELECT ${credits.columnList()} FROM billing_credit WHERE account_id = ? ORDER BY id${lock}`,
    [idBytes(accountId)],
  );
  const end = endOf(period);
  const lastDay = end.getTime() - dayMs;
  return rows
    .map((row) => credits.decode(row))
    .filter(({ remaining, createdAt }) => remaining > 0n && createdAt < end)
    .filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > lastDay);
}

/** Takes what an invoice uses from locked credits. */
export async function applyCredits(
  db: Session,
  invoice: { id: string; accountId: string; at: Date },
  uses: readonly { id: string; amount: bigint }[],
): Promise<void> {
  if (uses.length === 0) return;
  for (const { id, amount } of uses) {
    const { affectedRows } = await db.run(
      'UPDATE billing_credit SET remaining = remaining - ? WHERE id = ? AND remaining >= ?',
      [amount, idBytes(id), amount],
    );
    if (affectedRows !== 1) throw new Error(`Credit ${id} has less left than invoice ${invoice.id} uses.`);
  }
  await db.run(
    creditApplications.insertRows(
      uses.map(({ id, amount }) => ({
        creditId: id,
        invoiceId: invoice.id,
        accountId: invoice.accountId,
        amount,
        at: invoice.at,
      })),
    ),
  );
}

/** Gives back the credits that a voided invoice used; credits that were reversed in the meantime stay reversed. */
export async function returnCredits(db: Session, invoiceId: string): Promise<void> {
  await db.run(
    `UPDATE billing_credit AS credit JOIN billing_credit_application AS used ON used.credit_id = credit.id
     SET credit.remaining = credit.remaining + used.amount WHERE used.invoice_id = ? AND credit.reversed_at IS NULL`,
    [idBytes(invoiceId)],
  );
}

/** A credit as replies and events carry it. @param currency ISO 4217 */
export const presentCredit = (row: CreditRow, currency: string): ValueOf<typeof Credit> => ({
  id: row.id,
  amount: moneyOf(row.amount, currency),
  remaining: moneyOf(row.remaining, currency),
  reason: row.reason,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  reversedAt: row.reversedAt?.toISOString() ?? null,
});
