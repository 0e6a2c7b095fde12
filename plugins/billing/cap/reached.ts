import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import { idBytes } from '#core/runtime/id.js';
import { moneyOf } from '../money/micros.js';
import type { MonthRow } from '../tables/month.js';

/**
 * Emits billing.cap.reached, once for each cap and month. Calls write it in their environment, workers in the live
 * environment of each project.
 * @param month locked
 */
export async function noteReached(
  { db, clock, emit, caller }: Context<'billing.cap.reached'>,
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
  for (const each of environments) emit('billing.cap.reached', { subjectId: month.accountId, data }, each);
}
