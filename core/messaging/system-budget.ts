import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { countAgainstAll } from '#core/kernel/limits/count-against.js';

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
  const now = clock.now();
  const reached = await countAgainstAll(
    db,
    budgets.map((limit) => ({ ...limit, key: `${counter}|${limit.period}|${environment.id}`, now })),
  );
  if (!reached) return;
  const { period, max } = reached.limit;
  throw fail.auth_send_limited({ limit: max, period, seconds: reached.seconds });
}
