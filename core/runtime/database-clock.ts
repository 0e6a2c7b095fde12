import type { Clock } from './clock.js';

/**
 * A reading of the database's clock, and the times of the query and of its answer by the monotonic clock
 * (performance.now()).
 */
export interface DatabaseTime {
  readonly now: Date;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** A Clock that follows the database's. */
interface DatabaseClock extends Clock {
  readonly observe: (time: DatabaseTime) => void;
}

/** Clocks that differ by more, or moved by more, cannot be trusted. */
const mostDifferenceMs = 60_000;
/** How long a clock is not trusted after it was last seen to be wrong or to jump. */
const settleMs = 5 * 60_000;
/** NOW(3) is cut to milliseconds. */
const resolutionMs = 1;

/**
 * The time of the database's clock, so that nodes agree on due times although their machines' clocks differ. Between
 * two readings it follows the monotonic clock, so setting a machine's clock, for example by NTP, changes nothing. A
 * fail-over to a server with another clock is followed at the next reading.
 *
 * A reading proves that the database's clock showed `now` at some moment between `askedAt` and `answeredAt`. The
 * difference to the monotonic clock is changed only as far as that proves it wrong, so that slow answers do not move
 * the time.
 * @param wall the machine's clock, in unix milliseconds; only compared, never used as the time after the first reading
 */
export function createDatabaseClock(
  wall: () => number = () => Date.now(),
  monotonic: () => number = () => performance.now(),
): DatabaseClock {
  /**
   * The Unix time, in milliseconds, at which the monotonic clock read 0. Taken from the machine's clock until the
   * database has been queried.
   */
  let origin = wall() - monotonic();
  /** What it was when the time was last trusted. */
  let trustedOrigin = origin;
  let isAnchored = false;
  /** The latest time shown before the clock was set back. */
  let latestShown = -Infinity;
  /** When a clock was last seen to be wrong or to jump. */
  let doubtedAt = -Infinity;
  const time = (): number => origin + monotonic();
  const isSettled = (): boolean => monotonic() - doubtedAt >= settleMs;
  const compare = (): void => {
    if (Math.abs(wall() - time()) > mostDifferenceMs) doubtedAt = monotonic();
  };
  const isTrusted = (): boolean => {
    compare();
    return isSettled();
  };
  return {
    now: () => new Date(time()),
    isTrusted,
    certain: () => new Date(isTrusted() ? time() : Math.min(time(), trustedOrigin + monotonic(), wall())),
    aheadUntil: () => (latestShown > time() ? new Date(latestShown) : null),
    observe({ now, askedAt, answeredAt }) {
      const earliest = now.getTime() - answeredAt;
      const latest = now.getTime() + resolutionMs - askedAt;
      const corrected = Math.min(Math.max(origin, earliest), latest);
      if (isAnchored && isSettled()) trustedOrigin = origin;
      if (isAnchored && Math.abs(corrected - origin) > mostDifferenceMs) doubtedAt = monotonic();
      if (isAnchored && origin - corrected > mostDifferenceMs) latestShown = Math.max(latestShown, time());
      origin = isAnchored ? corrected : (earliest + latest) / 2;
      if (!isAnchored) trustedOrigin = origin;
      isAnchored = true;
      compare();
    },
  };
}

/**
 * The clock of this process, which works on one database. Ids, recurring jobs and all other code that receives a Clock
 * outside of tests use it.
 */
export const databaseClock = createDatabaseClock();
