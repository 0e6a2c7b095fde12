import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { dashboard } from '#plugins/account/ports.js';
import { activeUsers } from '#plugins/billing/ports.js';

/**
 * Counts a user who signed in or refreshed a session as active this month. Members who sign in to the dashboard are nobody's users, and are not
 * counted.
 */
export async function countActiveUser(
  { use }: Pick<Context, 'use'>,
  environment: Environment,
  userId: string,
): Promise<void> {
  if (!(await use(dashboard).includes(environment))) await use(activeUsers).record(environment, userId);
}
