import { dayMs, shift } from '../../clock.js';
import { driverFacts } from '../errors.js';
import type { Session } from '../session.js';
import { partitionsFrom, partitionSql, partitionsOf, startOfDay } from './partition.js';

/** The end of the name of a table whose rows are on their way into partitions. */
export const undividedSuffix = '_undivided';

interface Division {
  /** How many days one partition holds. */
  readonly days: number;
  readonly now: Date;
  /** Told about steps that take long. */
  readonly progress: (line: string) => void;
}

/**
 * Divides a table, which nobody may use in the meantime. Its rows become the first partition without being copied
 * (EXCHANGE PARTITION). Until they are there, no table has the name: svc does not start, and nothing is written to the
 * wrong table. A repeat continues what was interrupted.
 * @param table with a primary key `id` that begins with its time, and without other unique keys
 * @returns false if the table was divided before
 * @throws the driver's error
 */
export async function divideTable(db: Session, table: string, division: Division): Promise<boolean> {
  const [undivided, divided] = [`${table}${undividedSuffix}`, `${table}_divided`];
  if (await exists(db, table)) {
    if ((await partitionsOf(db, table)).length > 0) {
      await db.run(`DROP TABLE IF EXISTS ${undivided}`);
      return false;
    }
    await createDivided(db, table, divided, division);
    await db.run(`RENAME TABLE ${table} TO ${undivided}`);
  }
  const [first] = await partitionsOf(db, divided);
  const [row] = await db.rows(`SELECT 1 AS found FROM ${undivided} LIMIT 1`);
  if (first && row)
    await exchange(db, `ALTER TABLE ${divided} EXCHANGE PARTITION ${first.name} WITH TABLE ${undivided}`, async () => {
      division.progress(`Rebuilding ${table} first, because its server requires it. This reads and writes all of it …`);
      await db.run(`ALTER TABLE ${undivided} FORCE`);
    });
  await db.run(`RENAME TABLE ${divided} TO ${table}`);
  await db.run(`DROP TABLE ${undivided}`);
  return true;
}

/** An empty table with the first partition for all present rows of `table`, and those of the next days. */
async function createDivided(db: Session, table: string, divided: string, { days, now }: Division): Promise<void> {
  const [newest] = await db.rows<{ id: Buffer }>(`SELECT id FROM ${table} ORDER BY id DESC LIMIT 1`);
  const newestMs = newest?.id.readUIntBE(0, 6) ?? 0;
  const end = shift(startOfDay(new Date(Math.max(now.getTime(), newestMs))), dayMs);
  await db.run(`DROP TABLE IF EXISTS ${divided}`);
  await db.run(`CREATE TABLE ${divided} LIKE ${table}`);
  await db.run(
    `ALTER TABLE ${divided} PARTITION BY RANGE COLUMNS(id) (${partitionSql('undivided', end)}, ${partitionsFrom(end, days, now)})`,
  );
}

async function exists(db: Session, table: string): Promise<boolean> {
  const found = await db.rows(
    'SELECT 1 AS found FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [table],
  );
  return found.length > 0;
}

/** MariaDB before 11.4 knows no WITHOUT VALIDATION. */
const syntaxError = 1064;
/** The tables differ in what CREATE TABLE LIKE does not copy: columns that were added without a rebuild. */
const differences = [1731, 1736];

/** @param rebuild makes the tables alike, if they are not */
async function exchange(db: Session, sql: string, rebuild: () => Promise<void>): Promise<void> {
  const attempt = async (): Promise<void> => {
    try {
      // Validation would read all rows: that they belong to the partition is known.
      await db.run(`${sql} WITHOUT VALIDATION`);
    } catch (error) {
      if (driverFacts(error).errno !== syntaxError) throw error;
      await db.run(sql);
    }
  };
  try {
    await attempt();
  } catch (error) {
    if (!differences.includes(driverFacts(error).errno ?? 0)) throw error;
    await rebuild();
    await attempt();
  }
}
