import type { Clock } from '#core/runtime/clock.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Caller } from '../caller/caller.js';
import { refusalOf } from '../errors/common.js';
import { countAgainst } from './count.js';
import type { NamedLimit } from './named-limit.js';

/**
 * Counts the call against an operation's own limits.
 * @throws rate_limited with the seconds to wait
 */
export async function checkLimits(
  db: Session,
  limits: readonly NamedLimit[],
  caller: Caller,
  clock: Clock,
): Promise<void> {
  for (const limit of limits) {
    const seconds = await countAgainst(db, {
      key: `${limit.name}|${limit.by(caller)}`,
      max: limit.max,
      windowSeconds: limit.windowSeconds,
      now: clock.now(),
    });
    if (seconds > 0) throw refusalOf.rate_limited({ limit: limit.words, seconds });
  }
}
