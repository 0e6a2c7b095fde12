import { dayMs, dayOf } from '../../clock.js';
import type { Database } from '../session.js';
import { timeLimit } from '../time-limit.js';

/** A table of the database and how fast it grows. */
export interface TableSize {
  readonly table: string;
  /** Data and indexes, as the server reports them; those of MySQL may be a day old. */
  readonly bytes: number;
  /** The server's estimate. */
  readonly rows: number;
  /** The mean of up to seven days; null while no earlier day is known. */
  readonly bytesPerDay: number | null;
}

type Reading = Pick<Database, 'rows' | 'flavour'>;

/** The number of tables sampled each day: enough to include those that become the largest. */
const sampled = 20;
const keptDays = 31;

/** The server may have to open each table for its size. */
const limitSeconds = 2;

interface SizeRow {
  name: string;
  bytes: number | string;
  estimate: number | string;
}

/** The sizes of the largest tables, largest first. @throws the driver's error after 2 s (isStatementTimeout) */
const sizes = ({ rows, flavour }: Reading, count: number): Promise<SizeRow[]> =>
  rows<SizeRow>(
    timeLimit(
      flavour,
      limitSeconds,
    )(`SELECT table_name AS name, COALESCE(data_length + index_length, 0) AS bytes, COALESCE(table_rows, 0) AS estimate
      FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'
      ORDER BY bytes DESC, name LIMIT ?`),
    [count],
  );

/**
 * The largest tables with their growth, largest first.
 * @param now the database's time
 * @throws the driver's error, also if reading the sizes takes longer than 2 s
 */
export async function largestTables(database: Reading, now: Date, count = 5): Promise<TableSize[]> {
  const found = await sizes(database, count);
  if (found.length === 0) return [];
  const samples = await database.rows<{ name: Buffer; bytes: number | string; at: Date }>(
    `SELECT table_name AS name, bytes, measured_at AS at FROM svc_table_size
     WHERE day BETWEEN ? AND ? AND table_name IN (?) ORDER BY day`,
    [dayOf(now) - 7, dayOf(now) - 1, found.map(({ name }) => Buffer.from(name))],
  );
  return found.map(({ name, bytes, estimate }) => {
    const sample = samples.find((each) => each.name.toString() === name);
    const days = sample && (now.getTime() - sample.at.getTime()) / dayMs;
    // Yesterday's sample may be minutes old.
    const perDay =
      sample && days !== undefined && days >= 0.5 ? Math.round((Number(bytes) - Number(sample.bytes)) / days) : null;
    return { table: name, bytes: Number(bytes), rows: Number(estimate), bytesPerDay: perDay };
  });
}

/**
 * Stores today's sizes of the largest tables, once a day, and deletes those of more than 31 days ago. @param now the
 * database's time
 */
export async function sampleTableSizes(database: Reading & Pick<Database, 'run'>, now: Date): Promise<void> {
  const today = dayOf(now);
  const known = await database.rows('SELECT day FROM svc_table_size WHERE day = ? LIMIT 1', [today]);
  if (known.length > 0) return;
  const found = await sizes(database, sampled);
  if (found.length > 0)
    await database.run(
      `INSERT IGNORE INTO svc_table_size (day, table_name, bytes, measured_at) VALUES ${found.map(() => '(?, ?, ?, ?)').join(', ')}`,
      found.flatMap(({ name, bytes }) => [today, Buffer.from(name), Number(bytes), now]),
    );
  await database.run('DELETE FROM svc_table_size WHERE day < ? ORDER BY day LIMIT ?', [
    today - keptDays,
    sampled * keptDays,
  ]);
}

/** The tables in one line, for people: `svc_event 1.2 GiB (+3.4 MiB a day), …`. */
export const tablesText = (tables: readonly TableSize[]): string =>
  tables.map(({ table, bytes, bytesPerDay }) => `${table} ${bytesText(bytes)} (${growthText(bytesPerDay)})`).join(', ');

const growthText = (perDay: number | null): string =>
  perDay === null ? 'growth unknown' : `${perDay < 0 ? '-' : '+'}${bytesText(Math.abs(perDay))} a day`;

const bytesText = (bytes: number): string => {
  if (bytes >= 1024 ** 3) return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
  return bytes >= 1024 ** 2 ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${Math.round(bytes / 1024)} KiB`;
};
