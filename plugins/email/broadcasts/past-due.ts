import type { Context } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { standings } from '#plugins/billing/ports.js';

/** @throws billing_past_due where an invoice of the account is overdue; never in test environments */
export async function requireGoodStanding(
  { use, fail }: Pick<Context<never, 'billing_past_due'>, 'use' | 'fail'>,
  { kind, accountId }: Environment,
  operation: string,
): Promise<void> {
  if (kind === 'live' && (await use(standings).standing(accountId)) === 'past_due')
    throw fail.billing_past_due({ operation, pay: 'billing.invoice.pay', list: 'billing.invoice.list' });
}
