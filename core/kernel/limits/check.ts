import { counted } from '#config/counted.js';
import type { Session } from '#core/runtime/database/session.js';
import type { ReadContext } from '../context.js';
import { refusalOf } from '../errors/common.js';
import { countAgainstAll, hitsLeft, type CountedLimit } from './count-against.js';
import type { NamedLimit } from './named-limit.js';

/**
 * Counts a call against the operation's own limits, in order and in one round trip.
 * @param db the connection that writes the counts: outside any transaction for limits that count every call, also those
 *   that the handler refuses later; the write's own transaction for limits that are `acceptedOnly`
 * @throws rate_limited with the seconds to wait
 */
export async function checkLimits(
  db: Session,
  limits: readonly NamedLimit[],
  context: ReadContext,
  input: unknown,
): Promise<void> {
  const counted: DescribedLimit[] = [];
  for (const limit of limits) {
    const each = await countedLimit(limit, context, input);
    if (each) counted.push(each);
  }
  const reached = await countAgainstAll(db, counted);
  if (reached) throw refusalOf.rate_limited({ limit: reached.limit.description, seconds: reached.seconds });
}

type DescribedLimit = CountedLimit & { description: string };

/** The key of a limit's count. @param countedBy what `NamedLimit.by` returns for a call */
export const countKey = ({ name }: Pick<NamedLimit, 'name'>, countedBy: string): string => `${name}|${countedBy}`;

/** @returns null for a call that the limit does not count */
async function countedLimit(limit: NamedLimit, context: ReadContext, input: unknown): Promise<DescribedLimit | null> {
  const { caller, clock } = context;
  const countedBy = limit.by({ caller, input });
  if (countedBy === null) return null;
  const own = await limit.settings?.(context);
  const { max, windowSeconds } = own ?? limit;
  const description = own ? `${max} in ${counted(windowSeconds, 'second')}` : limit.description;
  return { key: countKey(limit, countedBy), max, windowSeconds, now: clock.now(), description };
}

/**
 * How many more calls like this one a limit of the operation allows now; null for a call that the limit does not count.
 */
export async function callsLeft(limit: NamedLimit, context: ReadContext, input: unknown): Promise<number | null> {
  const counted = await countedLimit(limit, context, input);
  return counted && hitsLeft(context.db, counted);
}
