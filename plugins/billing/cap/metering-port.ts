import type { FullContext } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { dashboard } from '#plugins/account/ports.js';
import { findBillingAccount } from '../accounts/account.js';
import {
  hasReserved,
  lockCapShared,
  noteReached,
  readSpendingAhead,
  reserveAhead,
  returnReserved,
  takeFromCap,
  takeReserved,
} from './cap.js';
import { lockMonth } from '../periods/lock-month.js';
import { periodOf } from '../periods/months.js';
import { decimalsOf, formatAmount, moneyOf } from '../money/micros.js';
import type { Metering, Usage } from '../ports.js';
import { pricesOf } from '../prices/price-list.js';
import { usages as usageTable, type UsageRow } from '../tables/usage.js';
import { tariffOf } from '../settings/tariff.js';
import { recordedOf } from '../metering/recorded.js';
import { reversalRows, usageRows } from '../metering/rows.js';
import { readSpending } from '../metering/spending.js';

/**
 * Whether usage in this environment is free. Sign-ins to the dashboard are part of running the deployment, so its
 * project is not metered. Only the operator's account can own that project; others skip the lookup.
 */
export const isUnmetered = async (
  { use }: Pick<FullContext, 'use'>,
  environment: Pick<Environment, 'projectId' | 'operator'>,
): Promise<boolean> => environment.operator && (await use(dashboard).includes(environment));

/** The rows of usage; empty if the environment is not metered. */
async function rowsAt(
  context: Pick<FullContext, 'deployment' | 'use'>,
  environment: Environment,
  usages: readonly Usage[],
  at: Date,
): Promise<UsageRow[]> {
  if (await isUnmetered(context, environment)) return [];
  return usageRows(environment, usages, { at, prices: pricesOf(tariffOf(context.deployment).list, periodOf(at)) });
}

async function append({ db }: Pick<FullContext, 'db'>, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.defer(usageTable.insertRows(rows));
}

/** Appends usage of a given time. It is never refused. @param at the usage belongs to the day and month of this time */
export async function recordAt(
  context: FullContext,
  environment: Environment,
  usages: readonly Usage[],
  at: Date,
): Promise<void> {
  const rows = await rowsAt(context, environment, usages, at);
  await takeFromCap(context, environment, rows, { mayRefuse: false });
  await append(context, rows);
}

/** Provides the port `metering`. */
export function makeMetering(context: FullContext): Metering {
  const { db, clock, deployment } = context;
  const tariff = tariffOf(deployment);
  const isFree = async (environment: Environment): Promise<boolean> =>
    environment.kind === 'test' || tariff.list === undefined || isUnmetered(context, environment);
  const rowsOf = (environment: Environment, usages: readonly Usage[]): Promise<UsageRow[]> =>
    rowsAt(context, environment, usages, clock.now());
  const record: Metering['record'] = (environment, usages) => recordAt(context, environment, usages, clock.now());
  const reverse: Metering['reverse'] = async (environment, usages) => {
    // Earlier versions metered the dashboard; its usage of open months has since been deleted.
    if (await isUnmetered(context, environment)) return;
    const recorded = await recordedOf(db, environment, usages);
    await append(context, reversalRows(environment, recorded, clock.now()));
  };
  /**
   * What usage adds to the month's cost, in micro-units, and the cost including it. What others have reserved counts as
   * used.
   */
  const costWith = async (
    { accountId }: Environment,
    usages: readonly Usage[],
  ): Promise<{ price: bigint; total: bigint }> => {
    const period = periodOf(clock.now());
    const { spending, ahead } = await readSpendingAhead(db, tariff, accountId, { period, except: usages[0]?.sourceId });
    const added = usages.map((usage) => ({ ...usage, quantity: BigInt(usage.quantity) }));
    const total = spending([...ahead, ...added]);
    return { price: total - spending(ahead), total };
  };

  return {
    record,
    async adjust(environment, usages) {
      await record(environment, usages);
      const less = usages.filter(({ quantity }) => quantity < 0);
      await reverse(
        environment,
        less.map((usage) => ({ ...usage, quantity: -usage.quantity })),
      );
    },
    async recordWithinCap(environment, usages) {
      const rows = await rowsOf(environment, usages);
      const refusal = await takeFromCap(context, environment, rows, { mayRefuse: true });
      if (refusal) return refusal;
      await append(context, rows);
      return null;
    },
    reverse,
    reserve: async (environment, usages) => reserveAhead(context, environment, await rowsOf(environment, usages)),
    async mustReserve(environment, usages) {
      const [first] = (await rowsOf(environment, usages)).filter(({ reserved }) => reserved > 0n);
      if (!first || (await findBillingAccount(db, environment.accountId))?.cap == null) return false;
      return !(await hasReserved(db, first.sourceId, first.period));
    },
    async recordReserved(environment, usages) {
      const rows = await rowsOf(environment, usages);
      const refusal = await takeReserved(context, environment, rows);
      if (refusal) return refusal;
      await append(context, rows);
      return null;
    },
    returnReserved: (sourceId) => returnReserved(context, sourceId),
    async noteReached(environment) {
      const { accountId } = environment;
      const cap = await lockCapShared(db, accountId, clock.now());
      if (cap === null) return;
      const period = periodOf(clock.now());
      const month = await lockMonth(db, accountId, period);
      const { currency } = tariff;
      const spending = await readSpending(db, tariff, accountId, period);
      await noteReached(context, environment, month, { cap, amountSoFar: spending(), currency });
    },
    async estimate(environment, usages) {
      const price = (await isFree(environment)) ? 0n : (await costWith(environment, usages)).price;
      return moneyOf(price, tariff.currency);
    },
    async capProblem(environment, usages) {
      if (await isFree(environment)) return null;
      const account = await findBillingAccount(db, environment.accountId);
      if (!account || account.cap === null) return null;
      const { price, total } = await costWith(environment, usages);
      if (price === 0n || total <= account.cap) return null;
      const show = (micros: bigint): string =>
        `${formatAmount(micros, decimalsOf(tariff.currency))} ${tariff.currency}`;
      return {
        code: 'spending_cap_reached',
        message: `It would cost up to ${show(price)} and exceed the spending cap of ${show(account.cap)}.`,
        fix: 'Let an owner raise or remove the cap with billing.cap.set, or send it next month (UTC).',
      };
    },
  };
}
