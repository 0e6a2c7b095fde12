import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { periodOf } from '../periods/months.js';
import type { ActiveUsers } from '../ports.js';
import { makeMetering } from '../cap/metering-port.js';

/** Users whose claim for a month has been committed, so that a refresh reads nothing. */
const claimed = new Set<string>();
const mostClaimed = 50_000;

/** Whether the user's claim of this month is stored. */
async function isClaimed(
  { db, clock }: Pick<FullContext, 'db' | 'clock'>,
  environment: Environment,
  userId: string,
): Promise<boolean> {
  const period = periodOf(clock.now());
  const name = `${period} ${environment.id} ${userId}`;
  if (claimed.has(name)) return true;
  const known = await db.prepared<object>(
    'SELECT 1 AS known FROM billing_active_user WHERE environment_id = ? AND period = ? AND user_id = ?',
    [idBytes(environment.id), Buffer.from(period), idBytes(userId)],
  );
  if (known.length === 0) return false;
  if (claimed.size >= mostClaimed) claimed.clear();
  claimed.add(name);
  return true;
}

/** Provides the port `activeUsers`. */
export const makeActiveUsers = (context: FullContext): ActiveUsers => ({
  isRecorded: (environment, userId) => isClaimed(context, environment, userId),
  async record(environment, userId) {
    // Read first: nearly every refresh is by a user who has been counted, and then takes no lock.
    if (await isClaimed(context, environment, userId)) return;
    const { affectedRows } = await context.db.run(
      'INSERT IGNORE INTO billing_active_user (environment_id, period, user_id) VALUES (?, ?, ?)',
      [idBytes(environment.id), Buffer.from(periodOf(context.clock.now())), idBytes(userId)],
    );
    if (affectedRows === 0) return;
    const usage = { meter: 'auth.monthly_active_user', quantity: 1, country: null, sourceId: userId } as const;
    await makeMetering(context).record(environment, [usage]);
  },
});
