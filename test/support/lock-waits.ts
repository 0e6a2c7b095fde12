import { eventually } from './eventually.js';
import type { TestPlatform } from './platform.js';

/**
 * How many transactions of the server wait for a row's lock. On MySQL, INNODB_TRX cannot be read while a transaction
 * waits whose statement contains bytes that are not text.
 */
export async function lockWaits({ running }: Pick<TestPlatform, 'running'>): Promise<number> {
  const [row] = await running.services.database.rows<{ Value: string }>(
    "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'",
  );
  return Number(row?.Value ?? 0);
}

/** How many deadlocks the server has found so far. */
export async function deadlocks({ running }: Pick<TestPlatform, 'running'>): Promise<number> {
  const [row] = await running.services.database.rows<{ count: number }>(
    "SELECT COUNT AS count FROM information_schema.INNODB_METRICS WHERE NAME = 'lock_deadlocks'",
  );
  return row?.count ?? 0;
}

/** Waits until at least `count` transactions wait for a lock. */
export const untilWaiting = (platform: Pick<TestPlatform, 'running'>, count: number, what: string): Promise<void> =>
  eventually(async () => (await lockWaits(platform)) >= count, what, 15_000);
