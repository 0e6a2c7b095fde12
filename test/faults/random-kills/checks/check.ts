import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { parseJson } from '#core/runtime/json.js';
import { at } from '#test/support/json.js';
import type { Arrival, Entry, Journal, Kill } from '../journal.js';
import type { Violations } from '../violations.js';

/** What a check compares: what clients know, what is stored, and what arrived. */
export interface Evidence {
  readonly db: ConnectedDatabase;
  readonly journal: Journal;
  readonly violations: Violations;
  /** The live environment. */
  readonly environment: Buffer;
}

/** The accepted calls of an operation. */
export const acceptedOf = ({ entries }: Journal, operation: string): Entry[] =>
  [...entries.values()].filter((entry) => entry.operation === operation && entry.answer?.accepted === true);

/** A text in the answer of a call, such as `result`, `messageId`. */
export function answered(entry: Entry, ...names: readonly string[]): string {
  const value = at(parseJson(entry.answer?.text ?? ''), ...names);
  if (typeof value !== 'string') throw new Error(`No text at ${names.join('.')} in the answer to ${entry.key}.`);
  return value;
}

/** How long before a kill something may have arrived and not be recorded yet. */
const unrecordedMs = 5_000;

/**
 * Whether a kill explains that something arrived again: it had arrived shortly before the kill, or while the database
 * or the node that was to record it was down. An orderly end explains nothing.
 */
const explains = ({ kind, at: killedAt, servedAt }: Kill, first: Arrival): boolean =>
  kind !== 'SIGTERM' &&
  first.at >= killedAt - unrecordedMs &&
  first.begunAt <= (kind === 'database' || kind === 'SIGSTOP' ? servedAt : killedAt) + 1_000;

/** Arrivals by id. */
export function byId(arrivals: readonly Arrival[]): Map<string, Arrival[]> {
  const found = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const copies = found.get(arrival.id);
    if (copies) copies.push(arrival);
    else found.set(arrival.id, [arrival]);
  }
  return found;
}

/**
 * Finds repeats that no kill explains.
 * @param failed ids with a failed attempt, such as one whose answer took too long, which explains a repeat too
 * @returns the number of all repeats
 */
export function checkRepeats(
  { journal: { kills }, violations }: Pick<Evidence, 'journal' | 'violations'>,
  what: string,
  arrivals: Iterable<readonly Arrival[]>,
  failed: ReadonlySet<string>,
): number {
  let repeats = 0;
  for (const copies of arrivals) {
    const [first, ...more] = copies;
    if (!first || more.length === 0) continue;
    repeats += more.length;
    copies.slice(0, -1).forEach((copy, index) => {
      if (failed.has(copy.id) || kills.some((kill) => explains(kill, copy))) return;
      const times = `at ${new Date(copy.at).toISOString()} and at ${new Date(copies[index + 1]?.at ?? 0).toISOString()}`;
      violations.add(
        'Only what was in flight at a kill arrives twice',
        `${what} ${copy.id} for ${copy.to} arrived ${times}.`,
      );
    });
    if (copies.some(({ digest }) => digest !== first.digest))
      violations.add('A repeat keeps its id and content', `${what} ${first.id} for ${first.to} differs in its repeat.`);
  }
  return repeats;
}
