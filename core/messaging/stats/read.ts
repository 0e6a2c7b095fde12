import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { otherTags, statCounters, type StatCounter, type StatDimension, type StatTables } from '../stat-tables.js';

export type StatCounts = Record<StatCounter, number>;

/** Which messages of an environment are counted. */
export interface StatFilter {
  readonly environmentId: string;
  readonly dimension: StatDimension;
  /** See statColumns. */
  readonly value: string;
}

/**
 * Reads the counts of some days in one statement, so that a change that is added to the counts at the same time is
 * counted once.
 * @param from the first day, see dayOf
 * @param to the day after the last one
 * @returns by day; days without messages are absent
 */
export async function readStats(
  db: Pick<ReadSession, 'rows'>,
  tables: StatTables,
  { environmentId, dimension, value }: StatFilter,
  { from, to }: { from: number; to: number },
): Promise<Map<number, StatCounts>> {
  const columns = statCounters.join(', ');
  const select = (table: string): string =>
    `SELECT day, ${columns} FROM ${table} stat WHERE environment_id = ? AND dimension = ? AND value = ? AND day >= ? AND day < ?`;
  const parameters = [idBytes(environmentId), Buffer.from(dimension), Buffer.from(value), from, to];
  // The changes of a tag without its own counts will be counted with those of other tags.
  const ownChanges =
    dimension === 'tag' ? ` AND (${hasRow(tables, '?')} OR NOT ${hasRow(tables, `'${otherTags}'`)})` : '';
  const rows = await db.rows<StatCounts & { day: number }>(
    `SELECT day, ${statCounters.map((status) => `CAST(SUM(${status}) AS SIGNED) AS ${status}`).join(', ')}
     FROM (${select(tables.counts.tableName)} UNION ALL ${select(tables.changes.tableName)}${ownChanges}) counted GROUP BY day`,
    [...parameters, ...parameters, ...(dimension === 'tag' ? [Buffer.from(value)] : [])],
  );
  return new Map(rows.map(({ day, ...counts }) => [day, counts]));
}

/** SQL: whether the day and environment of `stat` have counts of a tag. @param value a placeholder or literal */
const hasRow = ({ counts }: StatTables, value: string): string =>
  `EXISTS (SELECT 1 FROM ${counts.tableName} own WHERE own.environment_id = stat.environment_id
     AND own.dimension = 'tag' AND own.value = ${value} AND own.day = stat.day)`;

/**
 * The days of a period on which too many tags were used, and this one was counted with others (see tagsPerDay).
 * @param value of the tag
 */
export async function daysAmongOtherTags(
  db: Pick<ReadSession, 'rows'>,
  tables: StatTables,
  { environmentId, value }: Omit<StatFilter, 'dimension'>,
  { from, to }: { from: number; to: number },
): Promise<number[]> {
  const days = await db.rows<{ day: number }>(
    `SELECT stat.day FROM ${tables.counts.tableName} stat
     WHERE stat.environment_id = ? AND stat.dimension = 'tag' AND stat.value = ? AND stat.day >= ? AND stat.day < ?
       AND NOT ${hasRow(tables, '?')} ORDER BY stat.day`,
    [idBytes(environmentId), Buffer.from(otherTags), from, to, Buffer.from(value)],
  );
  return days.map(({ day }) => day);
}
