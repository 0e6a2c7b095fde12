import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { dashboard } from '#plugins/account/ports.js';
import { activeUsers } from '#plugins/billing/ports.js';

/**
 * Whether `countActiveUser` has nothing to do. That is so if the user already counts as active this month, or signs in
 * to the dashboard, whose members do not count as users.
 */
export async function isCountedUser(
  { use }: Pick<Context, 'use'>,
  environment: Environment,
  userId: string,
): Promise<boolean> {
  const [isMember, isCounted] = await Promise.all([
    use(dashboard).includes(environment),
    use(activeUsers).isRecorded(environment, userId),
  ]);
  return isMember || isCounted;
}

/** Counts a user who signed in or refreshed a session as active this month. */
export async function countActiveUser(
  { use }: Pick<Context, 'use'>,
  environment: Environment,
  userId: string,
): Promise<void> {
  if (!(await use(dashboard).includes(environment))) await use(activeUsers).record(environment, userId);
}
