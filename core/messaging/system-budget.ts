import { phoneKey } from '#core/kernel/schema/phone.js';
import { recipientKey } from '#core/kernel/schema/recipient-key.js';
import { hourMs, dayMs } from '#core/runtime/clock.js';
import type { Caller, Environment } from '#core/kernel/caller/caller.js';
import { isTenant } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { addressSite } from '#core/kernel/limits/address-group.js';
import { countShared } from '#core/kernel/limits/count-against.js';
import type { SystemBudget } from './system-template.js';
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

/**
 * The number that one mailbox or phone gets from an environment, for each kind of message that somebody else may have
 * asked for. Operations have narrower limits; these hold for all, also for new ones.
 */
const perRecipient: Readonly<Record<Charged, { max: number; windowSeconds: number; period: string }>> = {
  signin: { max: 120, windowSeconds: 3_600, period: 'per hour to one recipient' },
  invitation: { max: 20, windowSeconds: 86_400, period: 'per day to one recipient' },
  confirmation: { max: 10, windowSeconds: 86_400, period: 'per day to one recipient' },
  answer: { max: 120, windowSeconds: 3_600, period: 'per hour to one recipient' },
};

/** Notices have rates instead of budgets. */
type Charged = Exclude<SystemBudget, 'notice'>;

/** Who gets a message: a mailbox, however its address is written, or a phone. */
interface Recipient {
  readonly channel: 'mail' | 'text';
  readonly key: string;
}

/** @param address as it was given */
export const mailRecipient = (address: string): Recipient => ({ channel: 'mail', key: recipientKey(address) });

/** @param number E.164 */
export const textRecipient = (number: string): Recipient => ({ channel: 'text', key: phoneKey(number) });

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
 * @param budget the budget of the message's template; mail and texts are counted apart
 * @throws auth_send_limited if a budget, or the caller's share of it, is used up, or the recipient has got too many
 */
export async function chargeSystemBudget(
  { db, clock, fail, caller }: Charging,
  environment: Environment,
  budget: Charged,
  { channel, key: recipient }: Recipient,
): Promise<void> {
  const now = clock.now();
  const name = `${budget} ${channel}`;
  const own = perRecipient[budget];
  const limits = [
    { ...own, total: own.max, key: `${name} to|${environment.id}|${recipient}`, now, hasShares: false },
    ...budgets.map((limit) => ({
      ...limit,
      total: limit.max,
      key: `${name}|${limit.period}|${environment.id}`,
      now,
      hasShares: true,
    })),
  ];
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
 * @returns when it may be sent, at most a day ahead; null for now
 */
export async function placeNotice(
  { db, clock, caller }: Pick<Charging, 'db' | 'clock' | 'caller'>,
  environment: Environment,
  { key: recipient }: Recipient,
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
