import type { Services } from '#core/kernel/services.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { forEachRow } from '#core/runtime/jobs/for-each-row.js';
import { lockBillingAccount } from '../accounts/account.js';
import { lockMonth } from '../periods/lock-month.js';
import { periodOf } from '../periods/months.js';
import { spentOf } from '../metering/spending.js';
import { waitingReservations } from '../metering/used.js';
import { pricesOf, type Prices } from '../prices/price-list.js';
import { dearestPrice } from '../prices/tiers.js';
import { reservations } from '../tables/reservation.js';
import { tariffOf, type Tariff } from '../settings/tariff.js';
import { reservedAmount } from './cap.js';

/**
 * Recomputes the amounts that this month's caps are compared with, if they were computed with prices other than the
 * deployment's present ones: a restart may bring new prices within a month. Until this is done, the real cost of the
 * month decides each call (takeFromCap).
 */
export async function repriceMonths({ database, clock, log, deployment }: Services): Promise<void> {
  const period = periodOf(clock.now());
  const tariff = tariffOf(deployment);
  const prices = pricesOf(tariff.list, period);
  await forEachRow({
    log,
    job: 'billing.roll-up-usage',
    read: (after, limit) =>
      database.rows<{ id: Buffer }>(
        `SELECT a.account_id AS id FROM billing_account a JOIN billing_month m ON m.account_id = a.account_id AND m.period = ?
         WHERE a.account_id > ? AND a.cap IS NOT NULL AND (m.prices_digest IS NULL OR m.prices_digest <> ?)
         ORDER BY a.account_id LIMIT ?`,
        [Buffer.from(period), after, prices.digest, limit],
      ),
    handle: ({ id }) =>
      database.transaction(async (db) => {
        const accountId = idText(id);
        // Locks as a call that changes the cap does: it waits for the calls that reserve, and later ones wait for it.
        await lockBillingAccount(db, accountId, clock.now());
        await lockMonth(db, accountId, period);
        await storeAmounts(db, tariff, accountId, period);
      }),
  });
}

/** Reprices a month's reservations at the highest price each unit could now cost. */
async function repriceReservations(db: Session, prices: Prices, accountId: string, period: string): Promise<void> {
  const rows = await db.rows<object>(
    `SELECT ${reservations.columnList()} FROM billing_reservation WHERE account_id = ? AND period = ? FOR UPDATE`,
    [idBytes(accountId), Buffer.from(period)],
  );
  for (const { sourceId, meter, country } of rows.map((row) => reservations.decode(row)))
    await db.run('UPDATE billing_reservation SET unit_price = ? WHERE source_id = ? AND meter = ? AND country = ?', [
      dearestPrice(prices, meter, country),
      ...[sourceId, meter, country].map((text) => Buffer.from(text)),
    ]);
}

/**
 * Stores what a month's rolled-up usage costs, and what waiting usage and reservations take from the cap, at the
 * present prices. The account and the month are locked.
 */
export async function storeAmounts(db: Session, tariff: Tariff, accountId: string, period: string): Promise<void> {
  const prices = pricesOf(tariff.list, period);
  await repriceReservations(db, prices, accountId, period);
  const [spent, waiting, reserved] = await Promise.all([
    spentOf(db, tariff, accountId, period),
    waitingReservations(db, accountId, period),
    reservedAmount(db, accountId, period),
  ]);
  await db.run(
    'UPDATE billing_month SET spent = ?, reserved = ?, prices_digest = ? WHERE account_id = ? AND period = ?',
    [spent, waiting + reserved, prices.digest, idBytes(accountId), Buffer.from(period)],
  );
}
