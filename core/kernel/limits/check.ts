import type { Session } from '#core/runtime/database/session.js';
import type { ReadContext } from '../context.js';
import { refusalOf } from '../errors/common.js';
import { countAgainst } from './count-against.js';
import type { NamedLimit } from './named-limit.js';

/**
 * Counts a call against the operation's own limits, in order.
 * @param db where the counts are written: outside any transaction for limits that count every call, also those that the handler refuses
 *   later; the write's own transaction for limits that are `acceptedOnly`
 * @throws rate_limited with the seconds to wait
 */
export async function checkLimits(
  db: Session,
  limits: readonly NamedLimit[],
  context: ReadContext,
  input: unknown,
): Promise<void> {
  const { caller, clock } = context;
  for (const limit of limits) {
    const countedBy = limit.by({ caller, input });
    if (countedBy === null) continue;
    const own = await limit.settings?.(context);
    const { max, windowSeconds } = own ?? limit;
    const key = `${limit.name}|${countedBy}`;
    const seconds = await countAgainst(db, { key, max, windowSeconds, now: clock.now() });
    const description = own ? `${max} in ${windowSeconds} seconds` : limit.description;
    if (seconds > 0) throw refusalOf.rate_limited({ limit: description, seconds });
  }
}
