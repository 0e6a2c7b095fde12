import { lockOne } from '#core/runtime/database/lock-one.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { months, type MonthRow } from '../tables/month.js';

/**
 * An account's month, locked until the transaction ends. A transaction that adds something to a month holds this lock,
 * so the month is either open until that transaction has committed, or already closed. Creates the row if there is
 * none.
 */
export async function lockMonth(db: Session, accountId: string, period: string): Promise<MonthRow> {
  const key = [idBytes(accountId), Buffer.from(period)];
  await db.run(
    `INSERT INTO billing_month (account_id, period, spent, fees, reserved) VALUES (?, ?, 0, 0, 0)
     ON DUPLICATE KEY UPDATE period = period`,
    key,
  );
  const found = await lockOne(db, months, { accountId, period });
  if (!found) throw new Error(`The month ${period} of account ${accountId} is missing right after it was locked.`);
  return found;
}
