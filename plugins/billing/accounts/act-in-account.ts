import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';

/**
 * Makes the transaction of an operator's call, or of background work, act in the account's first live environment, so
 * that its audit record belongs to that account.
 * @returns its live environments, where account-level events are written
 * @throws not_found
 */
export async function actInAccount(
  { db, actIn, fail }: Pick<Context, 'db' | 'actIn' | 'fail'>,
  accountId: string,
): Promise<readonly [Environment, ...Environment[]]> {
  const [first, ...others] = await liveEnvironments(db, accountId);
  if (!first) throw fail.not_found({ thing: 'account', lookup: 'account.get with a key of that account' });
  actIn(first);
  return [first, ...others];
}
