import { hourMs, dayMs } from '#core/runtime/clock.js';
import type { Caller, Environment } from '#core/kernel/caller/caller.js';
import { isTenant } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { addressSite } from '#core/kernel/limits/address-group.js';
import { countShared } from '#core/kernel/limits/count-against.js';
import { reservePlaces, type Rate } from '#core/kernel/limits/reserve-place.js';

/*
 * How many system messages an environment sends (docs/interface.md, Limits 3). Sign-ins, invitations, confirmations and
 * notices have separate budgets, so that none uses up another, and within each budget every caller has a share, so that
 * one stranger cannot use it up.
 */

/** The number that an environment may send for each budget and channel. */
const budgets = [
  { period: 'per hour', max: 500, windowSeconds: 3_600 },
  { period: 'per day', max: 5_000, windowSeconds: 86_400 },
];

type Charging = Pick<Context<never, 'auth_send_limited'>, 'db' | 'clock' | 'fail' | 'caller'>;

/**
 * Whose share a call counts towards: the address of an unauthenticated caller. Servers with a secret key and members
 * have no share; they are limited by their operations.
 */
export function sharerOf(caller: Caller): string | null {
  const isTrusted = caller.kind === 'system' || (isTenant(caller) && !caller.publishable);
  return isTrusted ? null : addressSite(caller.request.ip);
}

/**
 * Counts a system message against the budgets of its environment, in the transaction that queues it.
 * @param budget the budget's name: `sign-in mail`, `invitation mail`, `confirmation mail`, `sign-in text`
 * @throws auth_send_limited if a budget, or the caller's share of it, is used up
 */
export async function chargeSystemBudget(
  { db, clock, fail, caller }: Charging,
  environment: Environment,
  budget: string,
): Promise<void> {
  const now = clock.now();
  const limits = budgets.map((limit) => ({
    ...limit,
    total: limit.max,
    key: `${budget}|${limit.period}|${environment.id}`,
    now,
  }));
  const reached = await countShared(db, limits, sharerOf(caller));
  if (!reached) return;
  const { limit, seconds, isShare } = reached;
  const period = isShare ? `${limit.period}, and your IP address has used up its share` : limit.period;
  throw fail.auth_send_limited({ limit: limit.total, period, seconds });
}

/**
 * The number of notices sent immediately, and per hour after that: all of an environment, those to one address, and
 * those caused by one IP address.
 */
const noticeRates = {
  all: [
    { burst: 500, intervalMs: hourMs / 500 },
    { burst: 5_000, intervalMs: dayMs / 5_000 },
  ],
  recipient: { burst: 20, intervalMs: hourMs / 20 },
  caller: { burst: 60, intervalMs: hourMs / 60 },
  /** Those beyond the share of their recipient or caller, which delay no other notice. */
  late: { burst: 100, intervalMs: hourMs / 100 },
} as const;

/** The longest time that a notice waits: then it is sent regardless of the budgets. */
const longestWaitMs = dayMs;

/**
 * Gives a notice its place among those of its environment, in the transaction that queues it. A notice without a place
 * now waits for one.
 * @param recipient the address in the form that comparisons use
 * @returns when it may be sent, at most a day ahead; null for now
 */
export async function placeNotice(
  { db, clock, caller }: Pick<Charging, 'db' | 'clock' | 'caller'>,
  environment: Environment,
  recipient: string,
): Promise<Date | null> {
  const now = clock.now();
  const latest = new Date(now.getTime() + longestWaitMs);
  const reserve = (rates: readonly Rate[]): Promise<Date> => reservePlaces(db, rates, { now, latest });
  const keyed = (rate: Omit<Rate, 'key'>, name: string): Rate => ({
    ...rate,
    key: `notice mail|${environment.id}|${name}`,
  });
  const sharer = sharerOf(caller);
  const own = await reserve([
    keyed(noticeRates.recipient, `to|${recipient}`),
    ...(sharer === null ? [] : [keyed(noticeRates.caller, `from|${sharer}`)]),
  ]);
  const isLate = own > now;
  const shared = await reserve(
    isLate
      ? [keyed(noticeRates.late, 'late')]
      : noticeRates.all.map((rate, index) => keyed(rate, index === 0 ? 'per hour' : 'per day')),
  );
  const at = own > shared ? own : shared;
  return at > now ? at : null;
}
