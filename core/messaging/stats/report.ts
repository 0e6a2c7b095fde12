import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { dateOfDay, dayOf } from '#core/runtime/clock.js';
import { daysAmongOtherTags, readStats, type StatCounts, type StatFilter } from './read.js';
import { statCounters, statDays, type StatTables } from '../stat-tables.js';

/** The counts of each day of a period, days without messages too, and their sum. */
interface StatReport {
  readonly days: readonly (StatCounts & { readonly date: string })[];
  readonly total: StatCounts;
  /** The days whose messages with this tag are counted with those of other tags. */
  readonly daysAmongOtherTags: string[];
}

/**
 * Reads the counts of a period.
 * @param since the first day @param until the day after the last one
 * @throws invalid_input for an empty period and for one that is too long
 */
export async function reportStats(
  db: Pick<ReadSession, 'rows'>,
  tables: StatTables,
  filter: StatFilter,
  { since, until }: { since: string; until: string },
): Promise<StatReport> {
  const [from, to] = [dayOf(new Date(since)), dayOf(new Date(until))];
  if (to <= from) throw invalidField('until', 'must be after since: it is the day after the last day');
  if (to - from > statDays) throw invalidField('until', `must be at most ${statDays} days after since`);
  const [found, among] = await Promise.all([
    readStats(db, tables, filter, { from, to }),
    filter.dimension === 'tag' ? daysAmongOtherTags(db, tables, filter, { from, to }) : [],
  ]);
  const days = Array.from({ length: to - from }, (_, index) => ({
    date: dateOfDay(from + index),
    ...(found.get(from + index) ?? noCounts()),
  }));
  return {
    days,
    total: days.reduce((sum, day) => added(sum, day), noCounts()),
    daysAmongOtherTags: among.map(dateOfDay),
  };
}

const noCounts = (): StatCounts => ({
  queued: 0,
  sent: 0,
  failed: 0,
  suppressed: 0,
  bounced: 0,
  cancelled: 0,
  segments: 0,
  received: 0,
});

function added(a: StatCounts, b: StatCounts): StatCounts {
  const sum = noCounts();
  for (const counter of statCounters) sum[counter] = a[counter] + b[counter];
  return sum;
}

/** A filter as a call gives it. */
type GivenFilter = Pick<StatFilter, 'dimension'> & {
  readonly field: string;
  readonly value: string | undefined;
};

/**
 * The one filter that a call gives; otherwise all messages. @throws invalid_input if it gives several: messages are
 * counted by one of them
 */
export function oneFilter(filters: readonly GivenFilter[]): Pick<StatFilter, 'dimension' | 'value'> {
  const given = filters.flatMap(({ value, ...filter }) => (value === undefined ? [] : [{ ...filter, value }]));
  const [first, second] = given;
  if (second) throw invalidField(second.field, `cannot be combined with ${first?.field ?? 'another filter'}`);
  return first ? { dimension: first.dimension, value: first.value } : { dimension: 'all', value: '' };
}
