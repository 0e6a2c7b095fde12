import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import { idBytes } from '#core/runtime/id.js';
import { lockMonth } from '../periods/lock-month.js';
import { periodOf } from '../periods/months.js';
import { reservedBy } from '../metering/rows.js';
import { decimalsOf, formatAmount } from '../money/micros.js';
import { pricesOf } from '../prices/price-list.js';
import type { UsageRow } from '../tables/usage.js';
import { tariffOf } from '../settings/tariff.js';
import { noteReached } from './reached.js';
import { readSpendingAhead } from './reservations.js';
import { shareCap } from './share-cap.js';

type ReserveContext = Context<'billing.cap.reached', 'spending_cap_reached'>;

/**
 * Takes usage from the account's cap. If the account has no cap, or the usage costs nothing, it writes nothing.
 *
 * One conditional statement reserves the highest price of the usage. The real cost of the month decides instead if that
 * price reaches the cap, if the month's amounts were not computed at the present prices, or if a wrong clock closed the
 * month before its end.
 * @param cap the cap in micro-units, null for none, if the transaction has read it with a lock
 * @param mayRefuse whether usage that crosses the cap is refused; otherwise it is taken anyway
 * @param isMost whether the usage is the most that will be used; the refusal states this
 * @returns the refusal; null if there is none
 */
export async function reserve(
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
  const cap = known === undefined ? await shareCap(db, accountId, now) : known;
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
