import { randomBytes } from 'node:crypto';
import { leaseExpired, releaseExpired, renewLeases, returnClaims } from './claim.js';
import { lanes, leaseSeconds, type Claim, type NewWork } from './queue.js';
import type { WorkerOptions } from './worker-options.js';

/** Claims of rows that are about to be inserted as leased ones. They share a token, and count as the first attempt. */
export function leaseNew(items: readonly NewWork[]): Claim[] {
  const leaseToken = randomBytes(16);
  return items.map(({ id, partitionId, lane }) => ({ id, partitionId, lane: lanes[lane], attempts: 1, leaseToken }));
}

/** The leases of one worker. A failed statement is logged and not thrown: leases that are lost expire. */
interface Leases {
  /**
   * Releases the rows of the queue whose leases have expired, no matter which process had them, once what it has stored
   * about them is recorded.
   */
  releaseExpired(): Promise<void>;
  /** Gives back rows that were not started. Their claims do not count as attempts. */
  release(claims: readonly Claim[]): Promise<void>;
  stopRenewing(): void;
}

/**
 * Renews the leases of a worker every 5 s, a sixth of the time that they last.
 * @param held returns the rows that the worker works on or has buffered
 * @param onReleased called when expired rows were released: they are due
 */
export function keepLeases(
  { queue, database, log }: Pick<WorkerOptions, 'queue' | 'database' | 'log'>,
  held: () => readonly Claim[],
  onReleased: () => void,
): Leases {
  const warn = (message: string) => (error: unknown) => {
    log.warn({ err: error, queue: queue.name }, message);
  };
  const renew = (): Promise<void> => renewLeases(database, queue, held()).catch(warn('renewing leases failed'));
  const recoverExpired = async (): Promise<number> => {
    if (!queue.recover) return 0;
    const claims = await leaseExpired(database, queue);
    if (claims.length > 0) await queue.recover(claims);
    return claims.length;
  };
  const timer = setInterval(() => void renew(), (leaseSeconds * 1000) / 6);
  return {
    async releaseExpired() {
      const recovered = await recoverExpired().catch(warn('recording what a stopped process has stored failed'));
      const released = await releaseExpired(database, queue).catch(warn('releasing expired leases failed'));
      if ((recovered ?? 0) + (released ?? 0) > 0) onReleased();
    },
    release: (claims) =>
      returnClaims(database, queue, claims).catch(
        warn('returning claims failed; the rows are released when their leases expire'),
      ),
    stopRenewing: () => clearInterval(timer),
  };
}
