import type { FullContext } from '#core/kernel/context.js';
import type { Services } from '#core/kernel/services.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { forEachRow } from '#core/runtime/jobs/for-each-row.js';
import { lockMonth } from '../periods/lock-month.js';
import { periodOf } from '../periods/months.js';
import { sendToOwners } from '../mails/mail-owners.js';
import { capMail } from '../mails/templates.js';
import { readSpending } from '../metering/spending.js';
import { tariffOf } from '../settings/tariff.js';
import { lockCapShared } from './cap.js';

/**
 * Mails the owners of open accounts that have spent 50 or 80 % of their cap: once for each threshold, cap and month,
 * and only for 80 % if both are passed together. An account for which this fails is tried again in the next round.
 */
export async function notifyOwners(
  services: Pick<Services, 'database' | 'clock' | 'log' | 'transaction'>,
): Promise<void> {
  const { database, clock, log, transaction } = services;
  const period = periodOf(clock.now());
  await forEachRow({
    log,
    job: 'billing.notify-owners',
    read: (after, limit) =>
      database.rows<{ id: Buffer }>(
        `SELECT a.account_id AS id FROM billing_account a JOIN billing_month m ON m.account_id = a.account_id AND m.period = ?
         WHERE a.account_id > ? AND a.cap > 0 AND m.most_notified_at IS NULL
           AND (m.spent + m.fees + m.reserved >= a.cap * 0.5 OR m.closed_at IS NOT NULL)
           AND (m.half_notified_at IS NULL OR m.spent + m.fees + m.reserved >= a.cap * 0.8 OR m.closed_at IS NOT NULL)
           AND EXISTS (SELECT 1 FROM svc_environment e WHERE e.account_id = a.account_id AND e.closed_at IS NULL)
         ORDER BY a.account_id LIMIT ?`,
        [Buffer.from(period), after, limit],
      ),
    handle: ({ id }) => transaction('Spending cap', (context) => notifyAccount(context, idText(id), period)),
  });
}

/**
 * What is reserved may be more than it will cost, and the amounts of a month that was closed before its end are not
 * kept up to date, so the real cost of the month decides.
 */
async function notifyAccount(context: FullContext, accountId: string, period: string): Promise<void> {
  const { db, clock, deployment } = context;
  // Locks the account before its month, as a call that changes the cap does.
  const cap = await lockCapShared(db, accountId, clock.now());
  if (cap === null || cap === 0n) return;
  const month = await lockMonth(db, accountId, period);
  const tariff = tariffOf(deployment);
  const { currency } = tariff;
  const spent = (await readSpending(db, tariff, accountId, period))();
  const isMost = spent * 10n >= cap * 8n;
  if (spent * 2n < cap || (isMost ? month.mostNotifiedAt : month.halfNotifiedAt) !== null) return;
  const isNotified = await sendToOwners(context, accountId, currency, capMail, {
    variables: (formats) => ({
      percent: isMost ? '80' : '50',
      month: formats.month(period),
      amount: formats.money(spent),
      cap: formats.money(cap),
    }),
  });
  // If a mail could not be queued now, it is tried again a minute later.
  if (!isNotified) return;
  const at = clock.now();
  await db.run(
    'UPDATE billing_month SET half_notified_at = ?, most_notified_at = ? WHERE account_id = ? AND period = ?',
    [month.halfNotifiedAt ?? at, isMost ? at : null, idBytes(accountId), Buffer.from(period)],
  );
}
