import { createConnection as createStreamConnection, type Connection as StreamConnection } from 'mysql2';
import { createConnection, type Connection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { driverOptions, type DatabaseTarget } from './driver-options.js';
import { serverMessage } from './errors.js';
import { findPrimary } from './primary/find.js';

/** Bytes of values in one INSERT. One row may be larger: blobs are rows of 1 MiB at most. */
const batchBytes = 1024 * 1024;
const deletedAtOnce = 10_000;

/**
 * Values are read as the server prints them, so that none is converted to a Date, a 53-bit float or a parsed JSON
 * value.
 */
const asPrinted = { dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, jsonStrings: true };

/**
 * By default MySQL answers AUTO_INCREMENT values from a cache that is up to a day old. A slow target must not end the
 * stream of the source.
 */
const sourceSettings =
  "SET time_zone = '+00:00', net_write_timeout = 3600 /*!80000 , information_schema_stats_expiry = 0 */";

/** Keeps a stored 0 in AUTO_INCREMENT columns. Values that do not fit are refused. */
const targetSettings = "SET time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO'";

interface Ends {
  /** For the rows, which are read as a stream. */
  stream: StreamConnection;
  from: Connection;
  to: Connection;
}

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

async function numberOf(connection: Connection, sql: string, values: unknown[] = []): Promise<number | undefined> {
  const [[row]] = await connection.query<RowDataPacket[]>(sql, values);
  const value: unknown = row?.['value'];
  return value === null || value === undefined ? undefined : Number(value);
}

/**
 * The columns of a table that are not computed by the server. MySQL writes DEFAULT_GENERATED into `extra` for defaults,
 * so `extra` is not used.
 */
async function storedColumns(connection: Connection, table: string): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name = ? AND COALESCE(generation_expression, '') = '' ORDER BY ordinal_position`,
    [table],
  );
  return rows.map((row) => String(row['name']));
}

const sizeOf = (value: unknown): number => (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8);

/** @returns how many rows were copied */
async function copyTable({ stream, from, to }: Ends, table: string): Promise<number> {
  const columns = (await storedColumns(to, table)).map(quote).join(', ');
  const insert = `INSERT INTO ${quote(table)} (${columns}) VALUES ?`;
  await deleteAll(to, table);
  let batch: unknown[][] = [];
  let bytes = 0;
  let copied = 0;
  const write = async (): Promise<void> => {
    if (batch.length > 0) await to.query(insert, [batch]);
    copied += batch.length;
    batch = [];
    bytes = 0;
  };
  const rows: AsyncIterable<unknown> = stream
    .query({ sql: `SELECT ${columns} FROM ${quote(table)}`, rowsAsArray: true })
    .stream({ highWaterMark: 100 });
  for await (const row of rows) {
    if (!Array.isArray(row)) throw new TypeError(`A row of ${table} is not a list of values.`);
    const values: unknown[] = row;
    batch.push(values);
    bytes += values.reduce((sum: number, value) => sum + sizeOf(value), 0);
    if (bytes >= batchBytes) await write();
  }
  await write();
  const next = await numberOf(
    from,
    'SELECT auto_increment AS value FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [table],
  );
  if (next !== undefined) await to.query(`ALTER TABLE ${quote(table)} AUTO_INCREMENT = ${next}`);
  return copied;
}

/** Deletes all rows, in steps: Vitess refuses a statement that changes more than 10,000. */
async function deleteAll(to: Connection, table: string): Promise<void> {
  for (let deleted = deletedAtOnce; deleted === deletedAtOnce;) {
    const [outcome] = await to.query<ResultSetHeader>(`DELETE FROM ${quote(table)} LIMIT ${deletedAtOnce}`);
    deleted = outcome.affectedRows;
  }
}

async function requireAllRows({ from, to }: Ends, table: string, copied: number): Promise<void> {
  const count = `SELECT COUNT(*) AS value FROM ${quote(table)}`;
  const [there, here] = [await numberOf(from, count), await numberOf(to, count)];
  if (there !== copied || here !== copied)
    throw new Error(`${there} rows were to be copied, ${copied} were read, and the target has ${here}.`);
}

/**
 * Copies all rows of tables into the tables of the same names in another database, whose rows are deleted first. The
 * servers may be MariaDB and MySQL, in either direction. Nobody may write to either database in the meantime.
 * @returns how many rows were copied
 * @throws Error that names the table, if a row cannot be read or written, or if the numbers of rows differ afterwards
 */
export async function copyRows(
  source: DatabaseTarget,
  target: DatabaseTarget,
  tables: readonly string[],
): Promise<number> {
  const sourceOptions = driverOptions(source, await findPrimary(source));
  const ends: Ends = {
    stream: createStreamConnection({ ...sourceOptions, ...asPrinted }),
    from: await createConnection(sourceOptions),
    to: await createConnection(driverOptions(target, await findPrimary(target))),
  };
  try {
    await ends.stream.promise().query(sourceSettings);
    await ends.from.query(sourceSettings);
    await ends.to.query(targetSettings);
    let total = 0;
    for (const table of tables) {
      try {
        const copied = await copyTable(ends, table);
        await requireAllRows(ends, table, copied);
        total += copied;
      } catch (error) {
        const said = error instanceof Error ? serverMessage(error.message) : String(error);
        throw new Error(`Table ${table}: ${said}`, { cause: error });
      }
    }
    return total;
  } finally {
    ends.stream.destroy();
    ends.from.destroy();
    ends.to.destroy();
  }
}
