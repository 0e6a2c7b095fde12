import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { readSpending, type Spending } from '../metering/spending.js';
import type { LiveUsage } from '../metering/used.js';
import type { Tariff } from '../settings/tariff.js';
import { reservations, type ReservationRow } from '../tables/reservation.js';

/** What a source has reserved, by meter and country. */
export async function readReservations(
  db: Pick<ReadSession, 'rows'>,
  sourceId: string,
  locking: '' | ' FOR UPDATE' = '',
): Promise<ReservationRow[]> {
  const rows = await db.rows<object>(
    `SELECT ${reservations.columnList()} FROM billing_reservation WHERE source_id = ? ORDER BY meter, country${locking}`,
    [Buffer.from(sourceId)],
  );
  return rows.map((row) => reservations.decode(row));
}

/** Whether a source has a reservation in a month, even if all of its units are used. */
export async function hasReserved(db: ReadSession, sourceId: string, period: string): Promise<boolean> {
  return (await readReservations(db, sourceId)).some((row) => row.period === period);
}

/**
 * What is reserved of an account's month and not used yet, as usage: its cost counts towards the cap.
 * @param except the source whose own reservation is left out
 */
export async function reservedUsage(
  db: Pick<ReadSession, 'rows'>,
  accountId: string,
  period: string,
  except = '',
): Promise<LiveUsage[]> {
  const rows = await db.rows<object>(
    `SELECT ${reservations.columnList()} FROM billing_reservation WHERE account_id = ? AND period = ? AND source_id <> ?`,
    [idBytes(accountId), Buffer.from(period), Buffer.from(except)],
  );
  return rows.map((row) => reservations.decode(row));
}

/** How often the amounts are read again because units were used in the meantime. */
const readings = 3;

/**
 * A month's cost so far, and its reservations. Sending moves units from a reservation to the usage without a lock on
 * the month. Units that move between reading the usage and reading the reservations would be in neither, so the
 * reservations are read before the usage as well, and both are read again if they differ. If units keep moving, the
 * units of the last reading count twice, which may refuse a message but never exceeds the cap.
 * @param except the source whose own reservation is left out
 */
export async function readSpendingAhead(
  db: Pick<ReadSession, 'rows'>,
  tariff: Tariff,
  accountId: string,
  { period, except }: { period: string; except?: string | undefined },
): Promise<{ spending: Spending; ahead: LiveUsage[] }> {
  let ahead = await reservedUsage(db, accountId, period, except);
  for (let reading = 1; ; reading += 1) {
    const spending = await readSpending(db, tariff, accountId, period);
    const after = await reservedUsage(db, accountId, period, except);
    if (reading === readings || unitsOf(after) === unitsOf(ahead)) return { spending, ahead };
    ahead = after;
  }
}

const unitsOf = (usages: readonly LiveUsage[]): bigint => usages.reduce((sum, { quantity }) => sum + quantity, 0n);

/** What the reservations of a month take from the cap, in micro-units. */
export async function reservedAmount(
  db: Pick<ReadSession, 'rows'>,
  accountId: string,
  period: string,
): Promise<bigint> {
  const [row] = await db.rows<{ amount: string | number | null }>(
    'SELECT SUM(quantity * unit_price) AS amount FROM billing_reservation WHERE account_id = ? AND period = ?',
    [idBytes(accountId), Buffer.from(period)],
  );
  return BigInt(row?.amount ?? 0);
}

/**
 * Deletes the reservations of a month that is over, or that no longer fit within its cap. The month's row is locked.
 */
export async function dropReservations(db: Session, accountId: string, period: string): Promise<void> {
  await db.run('DELETE FROM billing_reservation WHERE account_id = ? AND period = ?', [
    idBytes(accountId),
    Buffer.from(period),
  ]);
}
