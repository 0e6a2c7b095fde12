import type { Session } from '#core/runtime/database/session.js';
import type { ReadContext } from '../context.js';
import { refusalOf } from '../errors/common.js';
import { countAgainstAll, type CountedLimit } from './count-against.js';
import type { NamedLimit } from './named-limit.js';

/**
 * Counts a call against the operation's own limits, in order and in one round trip.
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
  const counted: (CountedLimit & { description: string })[] = [];
  for (const limit of limits) {
    const countedBy = limit.by({ caller, input });
    if (countedBy === null) continue;
    const own = await limit.settings?.(context);
    const { max, windowSeconds } = own ?? limit;
    const description = own ? `${max} in ${windowSeconds} seconds` : limit.description;
    counted.push({ key: `${limit.name}|${countedBy}`, max, windowSeconds, now: clock.now(), description });
  }
  const reached = await countAgainstAll(db, counted);
  if (reached) throw refusalOf.rate_limited({ limit: reached.limit.description, seconds: reached.seconds });
}
