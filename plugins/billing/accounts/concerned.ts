import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';

/**
 * The account that an operator's call or background work is about. The transaction acts in its first live environment from then on, so
 * that the audit record stands in that account's log.
 * @returns its live environments, where account-level events are written
 * @throws not_found
 */
export async function concernedAccount(
  { db, actIn, fail }: Pick<Context, 'db' | 'actIn' | 'fail'>,
  accountId: string,
): Promise<readonly [Environment, ...Environment[]]> {
  const [first, ...others] = await liveEnvironments(db, accountId);
  if (!first) throw fail.not_found({ thing: 'account', lookup: 'account.get with a key of that account' });
  actIn(first);
  return [first, ...others];
}
