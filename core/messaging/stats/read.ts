import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { statCounters, type StatCounter, type StatDimension, type StatTables } from '../stat-tables.js';

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
    `SELECT day, ${columns} FROM ${table} WHERE environment_id = ? AND dimension = ? AND value = ? AND day >= ? AND day < ?`;
  const parameters = [idBytes(environmentId), Buffer.from(dimension), Buffer.from(value), from, to];
  const rows = await db.rows<StatCounts & { day: number }>(
    `SELECT day, ${statCounters.map((status) => `CAST(SUM(${status}) AS SIGNED) AS ${status}`).join(', ')}
     FROM (${select(tables.counts.tableName)} UNION ALL ${select(tables.changes.tableName)}) counted GROUP BY day`,
    [...parameters, ...parameters],
  );
  return new Map(rows.map(({ day, ...counts }) => [day, counts]));
}
