import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { countAgainst } from '#core/kernel/limits/count-against.js';

/** Digits at the end of a number that its prefix leaves out: a prefix is a block of 10,000 numbers. */
const subscriberDigits = 4;
const max = 20;
const windowSeconds = 3_600;

/**
 * Counts a sign-in text against the limit per block of numbers, whatever the IP address: whoever is paid for texts to numbers of their own
 * has them in blocks.
 * @throws auth_send_limited
 */
export async function countText({ db, clock, fail }: Context, environment: Environment, number: string): Promise<void> {
  const prefix = number.slice(0, -subscriberDigits);
  const key = `sign-in text|${environment.id}|${prefix}`;
  const seconds = await countAgainst(db, { key, max, windowSeconds, now: clock.now() });
  if (seconds > 0)
    throw fail.auth_send_limited({ limit: max, period: 'texts per hour to numbers that begin alike', seconds });
}
