import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { countShared } from '#core/kernel/limits/count-against.js';
import { sharerOf } from '#core/messaging/system-budget.js';

/** The digits at the end of a number that its prefix omits: a prefix is a block of 10,000 numbers. */
const subscriberDigits = 4;
const max = 20;
const windowSeconds = 3_600;

/**
 * Counts a sign-in text against the limit per block of numbers, across IP addresses: people who are paid for texts to
 * their own numbers have them in blocks. One IP address cannot use up the limit of a block.
 * @throws auth_send_limited
 */
export async function countText(
  { db, clock, fail, caller }: Context<never, 'auth_send_limited'>,
  environment: Environment,
  number: string,
): Promise<void> {
  const prefix = number.slice(0, -subscriberDigits);
  const key = `sign-in text|${environment.id}|${prefix}`;
  const reached = await countShared(db, [{ key, max, windowSeconds, now: clock.now() }], sharerOf(caller));
  if (!reached) return;
  const { seconds, isShare } = reached;
  const period = `texts per hour to numbers that begin alike${isShare ? ', of which your IP address has had its share' : ''}`;
  throw fail.auth_send_limited({ limit: max, period, seconds });
}
