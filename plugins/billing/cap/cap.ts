import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { lockBillingAccount } from '../accounts/account.js';
import { reservedBy } from '../metering/rows.js';
import { readSpending, type Spending } from '../metering/spending.js';
import type { LiveUsage } from '../metering/used.js';
import { decimalsOf, formatAmount, moneyOf } from '../money/micros.js';
import { lockMonth } from '../periods/lock-month.js';
import { periodOf } from '../periods/months.js';
import { pricesOf } from '../prices/price-list.js';
import { tariffOf, type Tariff } from '../settings/tariff.js';
import type { MonthRow } from '../tables/month.js';
import { reservations, type ReservationRow } from '../tables/reservation.js';
import type { UsageRow } from '../tables/usage.js';

/*
 * The spending cap of an account: what takes from it, what it refuses, and what broadcasts reserve of it.
 *
 * - A call takes the price of its usage from the cap when it is accepted (`takeFromCap`), or is refused.
 * - A broadcast reserves the price of all its messages before the first one is made (`reserveAhead`). Each batch turns
 *   a part of that into usage (`takeReserved`). The rest is returned when all messages are made, or when the broadcast
 *   is cancelled or held because of the cap (`returnReserved`).
 * - If a broadcast cannot reserve, or a batch would exceed the cap, it is held with the reason `spending_cap`
 *   (core/messaging/broadcasts/work.ts).
 * - A cap that is lowered below what is used and reserved drops the reservations (`billing.cap.set`): each broadcast
 *   reserves again before its next batch.
 * - A cap that is raised resumes nothing. A held broadcast continues when somebody resumes it, and reserves again.
 *
 * Every transaction locks the account first: shared to take from the cap, exclusively to change it.
 */

type ReserveContext = Context<'billing.cap.reached', 'spending_cap_reached'>;

/**
 * The cap of an account, in micro-units; null for none. Its row stays locked in shared mode until the transaction ends:
 * calls of one account hold the lock concurrently, and a call that changes the cap waits until they have ended.
 */
export async function lockCapShared(db: Session, accountId: string, at: Date): Promise<bigint | null> {
  const [row] = await db.prepared<{ cap: number | string | null }>(
    'SELECT cap FROM billing_account WHERE account_id = ? LOCK IN SHARE MODE',
    [idBytes(accountId)],
  );
  // The account's first usage creates the row.
  if (!row) return (await lockBillingAccount(db, accountId, at)).cap;
  return row.cap === null ? null : BigInt(row.cap);
}

/**
 * Takes usage from the account's cap. If the account has no cap, or the usage costs nothing, it writes nothing.
 *
 * One conditional statement takes the highest price of the usage. The real cost of the month decides instead if that
 * price reaches the cap, if the month's amounts were not computed at the present prices, or if a wrong clock closed the
 * month before its end.
 * @param cap the cap in micro-units, null for none, if the transaction has read it with a lock
 * @param mayRefuse whether usage that crosses the cap is refused; otherwise it is taken anyway
 * @param isMost whether the usage is the most that will be used; the refusal states this
 * @returns the refusal; null if there is none
 */
export async function takeFromCap(
  context: ReserveContext,
  environment: Environment,
  rows: readonly UsageRow[],
  { mayRefuse, isMost = false, cap: known }: { mayRefuse: boolean; isMost?: boolean; cap?: bigint | null },
): Promise<Refusal | null> {
  const { db, clock } = context;
  const amount = reservedBy(rows);
  if (amount <= 0n) return null;
  const now = clock.now();
  const { accountId } = environment;
  const cap = known === undefined ? await lockCapShared(db, accountId, now) : known;
  if (cap === null) return null;
  // Usage of the end of a month may be metered after the month has ended.
  const period = rows[0]?.period ?? periodOf(now);
  const key = [idBytes(accountId), Buffer.from(period)];
  const { digest } = pricesOf(tariffOf(context.deployment).list, period);
  const { affectedRows } = await db.run(
    `UPDATE billing_month SET reserved = reserved + ?
     WHERE account_id = ? AND period = ? AND spent + fees + reserved < ? AND prices_digest = ? AND closed_at IS NULL`,
    [amount, ...key, cap - amount, digest],
  );
  if (affectedRows > 0) return null;
  const refusal = await decideByCost(context, environment, rows, { cap, mayRefuse, isMost });
  if (!refusal)
    await db.run('UPDATE billing_month SET reserved = reserved + ? WHERE account_id = ? AND period = ?', [
      amount,
      ...key,
    ]);
  return refusal;
}

/** Locks the month, compares its cost and reservations with the cap, and notes that the cap was reached. */
async function decideByCost(
  context: ReserveContext,
  environment: Environment,
  rows: readonly UsageRow[],
  { cap, mayRefuse, isMost }: { cap: bigint; mayRefuse: boolean; isMost: boolean },
): Promise<Refusal | null> {
  const { db, clock, deployment } = context;
  const { accountId } = environment;
  const period = rows[0]?.period ?? periodOf(clock.now());
  const month = await lockMonth(db, accountId, period);
  const tariff = tariffOf(deployment);
  const { currency } = tariff;
  const { spending, ahead } = await readSpendingAhead(db, tariff, accountId, { period });
  const before = spending(ahead);
  const after = spending([...ahead, ...rows]);
  const isRefused = mayRefuse && after > cap && after > before;
  if (after >= cap)
    await noteReached(context, environment, month, { cap, amountSoFar: isRefused ? before : after, currency });
  if (!isRefused) return null;
  const show = (micros: bigint): string => formatAmount(micros, decimalsOf(currency));
  return context.refuse.spending_cap_reached({
    price: `${isMost ? 'up to ' : ''}${show(after - before)}`,
    cap: show(cap),
    currency,
    set: 'billing.cap.set',
    show: 'billing.get',
  });
}

/**
 * Emits billing.cap.reached, once for each cap and month. Calls write it in their environment, workers in the live
 * environment of each project.
 * @param month locked
 */
export async function noteReached(
  { db, clock, emit, caller, auditOwn }: Context<'billing.cap.reached'>,
  environment: Environment,
  month: MonthRow,
  { cap, amountSoFar, currency }: { cap: bigint; amountSoFar: bigint; currency: string },
): Promise<void> {
  if (month.reachedAt !== null) return;
  await db.run('UPDATE billing_month SET reached_at = ? WHERE account_id = ? AND period = ?', [
    clock.now(),
    idBytes(month.accountId),
    Buffer.from(month.period),
  ]);
  const data = {
    cap: moneyOf(cap, currency),
    amountSoFar: moneyOf(amountSoFar, currency),
    period: month.period,
  };
  const environments = caller.kind === 'system' ? await liveEnvironments(db, month.accountId) : [environment];
  auditOwn(environment, {
    operation: 'billing.cap.set',
    subject: { type: 'account', id: month.accountId },
    summary: `The spending cap of ${formatAmount(cap, decimalsOf(currency))} ${currency} for ${month.period} is reached: what costs money is refused.`,
  });
  for (const each of environments) emit('billing.cap.reached', { subjectId: month.accountId, data }, each);
}

/** What a source has reserved, by meter and country. */
async function readReservations(
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
  const refusal = await takeFromCap(context, environment, rows, { mayRefuse: true, isMost: true });
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
  const cap = await lockCapShared(db, environment.accountId, clock.now());
  const kept = await readReservations(db, first.sourceId, ' FOR UPDATE');
  const takes = rows.map((row) => ({ row, taken: least(row.quantity, unitsFor(kept, row)) }));
  const beyond = takes.flatMap(({ row, taken }) =>
    taken === row.quantity
      ? []
      : [{ ...row, quantity: row.quantity - taken, reserved: (row.reserved / row.quantity) * (row.quantity - taken) }],
  );
  const refusal = await takeFromCap(context, environment, beyond, { mayRefuse: true, cap });
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
  const cap = await lockCapShared(db, any.accountId, clock.now());
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
