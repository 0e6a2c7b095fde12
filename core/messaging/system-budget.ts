import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { countAgainst } from '#core/kernel/limits/count-against.js';

/** How many system messages of each channel an environment may send (docs/interface.md, Limits 3). */
const budgets = [
  { period: 'per hour', max: 500, windowSeconds: 3_600 },
  { period: 'per day', max: 5_000, windowSeconds: 86_400 },
];

/**
 * Counts a system message against the budgets of its environment, in the transaction that queues it.
 * @param counter what is counted: `system mail`, `system text`
 * @throws auth_send_limited when a budget is used up
 */
export async function chargeSystemBudget(
  { db, clock, fail }: Pick<Context, 'db' | 'clock' | 'fail'>,
  environment: Environment,
  counter: string,
): Promise<void> {
  for (const { period, max, windowSeconds } of budgets) {
    const key = `${counter}|${period}|${environment.id}`;
    const seconds = await countAgainst(db, { key, max, windowSeconds, now: clock.now() });
    if (seconds > 0) throw fail.auth_send_limited({ limit: max, period, seconds });
  }
}
