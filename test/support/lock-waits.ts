import { eventually } from './eventually.js';
import type { TestPlatform } from './platform.js';

/** How many transactions of the server wait for a row's lock. */
const lockWaits = (platform: Pick<TestPlatform, 'count'>): Promise<number> =>
  platform.count('information_schema.INNODB_TRX', "trx_state = 'LOCK WAIT'");

/** Waits until at least `count` transactions wait for a lock. */
export const untilWaiting = (platform: Pick<TestPlatform, 'count'>, count: number, what: string): Promise<void> =>
  // InnoDB shows the same moment for ever to whoever asks more often than every 100 ms.
  eventually(async () => (await lockWaits(platform)) >= count, what, 15_000, 200);
