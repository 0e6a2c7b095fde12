import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { LiveUsage } from '../metering/used.js';
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

/** Whether a source has reserved units of a month; also where all of them are used. */
export async function hasReserved(db: ReadSession, sourceId: string, period: string): Promise<boolean> {
  return (await readReservations(db, sourceId)).some((row) => row.period === period);
}

/**
 * What is reserved of an account's month and not used yet, as usage: what it would cost counts towards the cap.
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

/** Forgets the reservations of a month, whose cap they no longer fit into or which is over. Its row is locked. */
export async function dropReservations(db: Session, accountId: string, period: string): Promise<void> {
  await db.run('DELETE FROM billing_reservation WHERE account_id = ? AND period = ?', [
    idBytes(accountId),
    Buffer.from(period),
  ]);
}
