import { dayMs, shift } from '../../clock.js';
import { firstIdAt } from '../../id.js';
import type { Session } from '../session.js';

/*
 * Tables that are divided by the time of their rows (PARTITION BY RANGE COLUMNS of the id, which begins with its time).
 * `npm run partition` divides them: see docs/decisions/0143-partitions-by-time.md.
 */

/** A partition: the rows whose ids are below the first one of a day, and not in an earlier partition. */
export interface Partition {
  readonly name: string;
  /** The day, at 00:00 UTC; undefined for the last partition, which takes the rest. */
  readonly before: Date | undefined;
  /** It holds the rows from before the table was divided, of any age. */
  readonly isUndivided: boolean;
}

/** The last partition. It stays empty, because others are added in time. */
export const rest = 'later';

/** How far ahead partitions exist, in partitions: adding them may fail for that long. */
const ahead = 2;

/** How many days one partition holds, so that about ten to twenty hold what is kept. */
export function daysPerPartition(keptDays: number | undefined): number {
  if (keptDays === undefined) return 30;
  if (keptDays <= 15) return 1;
  return keptDays <= 120 ? 7 : 30;
}

export const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / dayMs) * dayMs);

/** @returns the partitions of a table, in order; none if it is not divided */
export async function partitionsOf(db: Pick<Session, 'rows'>, table: string): Promise<Partition[]> {
  const rows = await db.rows<{ name: string }>(
    `SELECT partition_name AS name FROM information_schema.partitions
     WHERE table_schema = DATABASE() AND table_name = ? AND partition_name IS NOT NULL ORDER BY partition_ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => {
    const [, kind, year, month, day] = /^(before|undivided)_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
    const before = kind === undefined ? undefined : new Date(`${year}-${month}-${day}T00:00:00Z`);
    return { name, before, isUndivided: kind === 'undivided' };
  });
}

/** A partition as SQL. @param kind see Partition.isUndivided */
export const partitionSql = (kind: 'before' | 'undivided', day: Date): string =>
  `PARTITION ${kind}_${day.toISOString().slice(0, 10).replaceAll('-', '')} VALUES LESS THAN (0x${firstIdAt(day).toString('hex')})`;

/**
 * Partitions as SQL: those from a day on, up to two after `now`, and the last one.
 * @param days how many days each holds
 */
export function partitionsFrom(day: Date, days: number, now: Date): string {
  const until = shift(now, ahead * days * dayMs);
  const partitions: string[] = [];
  for (let end = day; end <= until;) {
    end = shift(end, days * dayMs);
    partitions.push(partitionSql('before', end));
  }
  return [...partitions, `PARTITION ${rest} VALUES LESS THAN (MAXVALUE)`].join(', ');
}
