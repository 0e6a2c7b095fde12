import type { Database } from '#core/runtime/database/session.js';

interface Column {
  name: string;
  type: string;
  length: number | null;
  nullable: string;
}

/** The owner of the rows, by the columns that identify it. */
export type Owners = Readonly<Partial<Record<'environment_id' | 'account_id', Buffer>>>;

const numbered = (length: number): string =>
  `(SELECT 0 AS n${Array.from({ length: length - 1 }, (_, index) => ` UNION ALL SELECT ${index + 1}`).join('')})`;

/** Numbers from 1 to `count` or a few more. */
const numbersTo = (count: number): string =>
  `(SELECT 1 + a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n
    FROM ${['a', 'b', 'c', 'd'].map((name) => `${numbered(10)} ${name}`).join(', ')}, ${numbered(Math.ceil(count / 10_000))} e)`;

/**
 * The id in each column of the row with a number: a UUIDv7 of the last hours, a tenth of a second after the previous
 * one.
 */
export const rowId = (n: string): string =>
  `UNHEX(CONCAT(LPAD(HEX(UNIX_TIMESTAMP(@at) * 1000 - (@count - ${n}) * 100), 12, '0'), '70008000', LPAD(HEX(${n}), 12, '0')))`;

/** A value for a column of the row `numbers.n`, different for each row. */
function valueOf({ name, type, length }: Column): string {
  if (type === 'binary' && length === 16) return rowId('n');
  if (type === 'binary') return `CAST(SHA2(CONCAT('${name}', n), 256) AS BINARY(${length}))`;
  if (type.includes('blob')) return "'x'";
  if (type.includes('int') || type === 'decimal') return '0';
  if (type === 'datetime') return '@at';
  if (type.includes('text') || type === 'json') return "'{}'";
  return `LEFT(CONCAT('x', n), ${Math.min(length ?? 10, 60)})`;
}

/**
 * Fills a table with rows of which only the owner is specified.
 * @param values SQL for some columns; `n` is the number of the row
 */
export async function fillTable(
  database: Database,
  table: string,
  {
    count,
    owner,
    values = {},
    at,
  }: { count: number; owner: Owners; values?: Readonly<Record<string, string>>; at: Date },
): Promise<void> {
  const columns = await database.rows<Column>(
    `SELECT column_name AS name, data_type AS type, character_maximum_length AS length, is_nullable AS nullable
     FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? AND extra NOT LIKE '%GENERATED%'
     ORDER BY ordinal_position`,
    [table],
  );
  const given: Readonly<Record<string, Buffer | undefined>> = owner;
  const filled = columns.filter(
    ({ name, nullable }) => nullable === 'NO' || name in values || given[name] !== undefined,
  );
  const select = filled.map((column) => {
    const owned = given[column.name];
    return owned ? `X'${owned.toString('hex')}'` : (values[column.name] ?? valueOf(column));
  });
  await database.batch(
    `SET @at = ?, @count = ?;
     INSERT INTO ${table} (${filled.map(({ name }) => `\`${name}\``).join(', ')})
     SELECT ${select.join(', ')} FROM ${numbersTo(count)} numbers WHERE n <= ?;
     ANALYZE TABLE ${table}`,
    [at, count, count],
  );
}
