import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import { idBytes } from '#core/runtime/id.js';
import { reservations, type ReservationRow } from '../tables/reservation.js';
import type { UsageRow } from '../tables/usage.js';
import { tariffOf } from '../settings/tariff.js';
import { reserve } from './reserve.js';
import { readReservations } from './reservations.js';
import { shareCap } from './share-cap.js';

type ReserveContext = Context<'billing.cap.reached', 'spending_cap_reached'>;

/**
 * Reserves the amount that rows of usage would take, without recording them. The source's earlier reservation is
 * returned first. It reserves for an account without a cap too, so that a cap that is set in the meantime counts the
 * reservation.
 * @param rows all of one source and month, each meter and country once
 * @returns the refusal; null once it is reserved
 */
export async function reserveAhead(
  context: ReserveContext,
  environment: Environment,
  rows: readonly UsageRow[],
): Promise<Refusal | null> {
  const [first] = rows;
  if (!first || environment.kind === 'test' || tariffOf(context.deployment).list === undefined) return null;
  await returnReserved(context, first.sourceId);
  const refusal = await reserve(context, environment, rows, { mayRefuse: true, isMost: true });
  if (refusal) return refusal;
  await context.db.run(
    reservations.insertRows(
      // Includes rows that cost nothing: `hasReserved` means that the source has reserved what it needs.
      rows.map(({ sourceId, meter, country, accountId, period, quantity, reserved }) => ({
        ...{ sourceId, meter, country, accountId, period, quantity },
        unitPrice: reserved / quantity,
        createdAt: context.clock.now(),
      })),
    ),
  );
  return null;
}

/**
 * Takes rows of usage from what their source has reserved, and the rest from the account's cap.
 * @param rows of one source and month; the caller records them next
 * @returns the refusal; null once they are taken
 */
export async function takeReserved(
  context: ReserveContext,
  environment: Environment,
  rows: readonly UsageRow[],
): Promise<Refusal | null> {
  const { db, clock } = context;
  const [first] = rows.filter(({ reserved }) => reserved > 0n);
  if (!first) return null;
  // Locks the account before the reservation, as a call that changes the cap does.
  const cap = await shareCap(db, environment.accountId, clock.now());
  const kept = await readReservations(db, first.sourceId, ' FOR UPDATE');
  const takes = rows.map((row) => ({ row, taken: least(row.quantity, unitsFor(kept, row)) }));
  const beyond = takes.flatMap(({ row, taken }) =>
    taken === row.quantity
      ? []
      : [{ ...row, quantity: row.quantity - taken, reserved: (row.reserved / row.quantity) * (row.quantity - taken) }],
  );
  const refusal = await reserve(context, environment, beyond, { mayRefuse: true, cap });
  if (refusal) return refusal;
  for (const { row, taken } of takes)
    if (taken > 0n)
      await db.run(
        'UPDATE billing_reservation SET quantity = quantity - ? WHERE source_id = ? AND meter = ? AND country = ?',
        [taken, Buffer.from(row.sourceId), Buffer.from(row.meter), Buffer.from(row.country)],
      );
  return null;
}

/** Returns the unused part of a source's reservation, which frees that part of its account's cap. */
export async function returnReserved(
  { db, clock }: Pick<ReserveContext, 'db' | 'clock'>,
  sourceId: string,
): Promise<void> {
  const [any] = await readReservations(db, sourceId);
  if (!any) return;
  const cap = await shareCap(db, any.accountId, clock.now());
  const kept = await readReservations(db, sourceId, ' FOR UPDATE');
  await db.run('DELETE FROM billing_reservation WHERE source_id = ?', [Buffer.from(sourceId)]);
  if (cap === null) return;
  for (const { accountId, period, quantity, unitPrice } of kept)
    await db.run('UPDATE billing_month SET reserved = GREATEST(reserved - ?, 0) WHERE account_id = ? AND period = ?', [
      quantity * unitPrice,
      idBytes(accountId),
      Buffer.from(period),
    ]);
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const unitsFor = (kept: readonly ReservationRow[], { meter, country, period }: UsageRow): bigint =>
  kept.find((row) => row.meter === meter && row.country === country && row.period === period)?.quantity ?? 0n;
