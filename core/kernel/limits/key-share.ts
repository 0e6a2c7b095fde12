import type { Clock } from '#core/runtime/clock.js';
import { isWithoutCommits } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { commonErrors } from '../errors/common.js';
import { makeError, type SvcError } from '../errors/errors.js';
import { addressSite } from './address-group.js';
import { countAgainst } from './count-against.js';
import { limitPerKey } from './key-rate-limit.js';

/** The requests a minute that one client address may make with a publishable key: a fifth of the key's own limit. */
const sharePerAddress = limitPerKey.perMinute / 5;

/**
 * The first requests of an address in a minute are counted in this process only. Nearly all people make no more, and
 * their calls cost no statement. Each process adds as many to the share.
 */
const uncounted = 10;

const windowSeconds = 60;
/** Addresses that this process remembers. One that is forgotten gets its uncounted requests again. */
const maxRemembered = 20_000;

interface Seen {
  requests: number;
  /** Unix milliseconds at which its minute ends. */
  readonly endsAt: number;
  /** Until then it is refused without a query. */
  fullUntil: number;
}

/** The shares of client addresses in the limits of publishable keys. */
interface KeyShares {
  /** Counts one request. @throws rate_limited */
  take(lineage: string, ip: string): Promise<void>;
}

/**
 * A publishable key can be read by anybody, so one address must not be able to use up the requests of all of an app's
 * users. An IPv6 address counts with its /48 site.
 */
export function createKeyShares(db: Session, clock: Clock): KeyShares {
  const seen = new Map<string, Seen>();

  /** A map keeps the order of insertion. */
  const forgetOldest = (): void => {
    const { value } = seen.keys().next();
    if (value !== undefined) seen.delete(value);
  };
  const seenOf = (id: string, now: number): Seen => {
    const known = seen.get(id);
    // A minute that ends later than a new one was begun while the clock was ahead.
    if (known && known.endsAt > now && known.endsAt <= now + windowSeconds * 1000) return known;
    const made = { requests: 0, endsAt: now + windowSeconds * 1000, fullUntil: 0 };
    seen.delete(id);
    seen.set(id, made);
    if (seen.size > maxRemembered) forgetOldest();
    return made;
  };
  const refusal = (seconds: number): SvcError => {
    const limit = `${sharePerAddress} per minute per publishable key and IP address`;
    return makeError('rate_limited', commonErrors.rate_limited, { limit, seconds }, seconds);
  };

  return {
    async take(lineage, ip) {
      const id = `${lineage}|${addressSite(ip)}`;
      const now = clock.now();
      const each = seenOf(id, now.getTime());
      if (each.fullUntil > now.getTime()) throw refusal(Math.ceil((each.fullUntil - now.getTime()) / 1000));
      each.requests += 1;
      if (each.requests <= uncounted) return;
      const max = sharePerAddress - uncounted;
      const seconds = await countAgainst(db, { key: `publishable key|${id}`, max, windowSeconds, now }).catch(
        (error: unknown) => {
          // Reads go on while nothing is committed. The key's limit is counted in this process then.
          if (isWithoutCommits(error)) return 0;
          throw error;
        },
      );
      if (seconds === 0) return;
      each.fullUntil = Math.min(now.getTime() + seconds * 1000, each.endsAt);
      throw refusal(seconds);
    },
  };
}
