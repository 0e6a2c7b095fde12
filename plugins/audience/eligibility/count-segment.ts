import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { AudienceCounts, Channel, CountOptions } from '../ports.js';
import { candidatesOf, everybody } from '../segments/candidates.js';
import type { Scope } from '../segments/compile.js';
import { not, type Tree } from '../segments/tree.js';
import { countAudience } from './count-audience.js';
import { countEverybody } from './count-everybody.js';

/** About how many contacts a batch of a count takes. */
const countedPerBatch = 100_000;

/**
 * Counts an audience from its smallest side: the rows of an index that list the segment; those that list everybody
 * else, if these are fewer; or all contacts, by indexes alone if that answers everything.
 * @param tree the segment's definition; null for all contacts
 */
export async function countSegment(
  db: ReadSession,
  scope: Scope,
  purpose: { channel: Channel; topic: string },
  tree: Tree | null,
  options: CountOptions = {},
): Promise<AudienceCounts> {
  const { environmentId } = scope;
  const began = performance.now();
  const among = tree === null ? everybody : await candidatesOf(db, tree, scope, countedPerBatch);
  // What `countEverybody` does not count: properties, and the countries of numbers.
  const isSimple =
    purpose.channel === 'email' && (options.properties ?? []).length === 0 && (options.after ?? null) === null;
  if (isSimple && among.rows === null) {
    const others = tree === null ? null : await candidatesOf(db, not(tree), scope, countedPerBatch);
    const all = others?.rows === null ? null : await countEverybody(db, environmentId, purpose.topic);
    if (all && others === null) return all;
    if (all && others) {
      const left = await countAudience(db, environmentId, purpose, others, rest(options, began));
      if (left.isExact) return difference(all, left);
    }
  }
  return countAudience(db, environmentId, purpose, among, rest(options, began));
}

/** The options with the time that is left. */
const rest = (options: CountOptions, began: number): CountOptions =>
  options.withinMs === undefined
    ? options
    : { ...options, withinMs: Math.max(0, options.withinMs - (performance.now() - began)) };

/** Contacts may change between the two counts: none is below zero. */
function difference(all: AudienceCounts, others: AudienceCounts): AudienceCounts {
  const less = (name: 'eligible' | 'noConsent' | 'optedOut' | 'suppressed'): number =>
    Math.max(0, all[name] - others[name]);
  return {
    ...all,
    eligible: less('eligible'),
    noConsent: less('noConsent'),
    optedOut: less('optedOut'),
    suppressed: less('suppressed'),
  };
}
