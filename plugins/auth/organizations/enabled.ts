import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import { dashboard } from '#plugins/account/ports.js';

/**
 * Refuses organizations in the dashboard's environment: anyone may sign in there, and could invite strangers from the
 * deployment's own domain. Members of accounts are invited with account.member.invite.
 * @throws feature_disabled
 */
export async function requireOrganizations({
  use,
  caller,
  fail,
}: Pick<ReadContext<'feature_disabled'>, 'use' | 'fail'> & { readonly caller: TenantCaller }): Promise<void> {
  if (!(await use(dashboard).includes(caller.environment))) return;
  throw fail.feature_disabled({
    feature: 'organizations',
    nextStep:
      'Use organizations in an environment of one of your own projects. account.member.invite invites people to an account.',
  });
}
