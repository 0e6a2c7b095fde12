import type { Session } from '#core/runtime/database/session.js';

interface Column {
  table: string;
  name: string;
}

/** Both sides as their bytes, one character each: every kind of column is searched alike, and ASCII letters in either case. */
const comparable = (sql: string): string => `LOWER(CONVERT(CAST(${sql} AS BINARY) USING latin1))`;
const quoted = (name: string): string => `\`${name}\``;

/**
 * Where a text stands in the database, as somebody would find it who searches a dump: every column of every table, text, JSON and
 * bytes, in capitals or not. What is sealed shows nothing to such a search: see that those rows are gone.
 * @returns `table.column` for each column that holds it, in order
 */
export async function searchDatabase(db: Session, text: string): Promise<string[]> {
  const columns = await db.rows<Column>(
    `SELECT TABLE_NAME AS \`table\`, COLUMN_NAME AS name FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION`,
  );
  const tables = new Map<string, string[]>();
  for (const { table, name } of columns) tables.set(table, [...(tables.get(table) ?? []), name]);
  const hits: string[] = [];
  for (const [table, names] of tables) {
    const found = names.map(
      (name, index) => `MAX(LOCATE(${comparable('?')}, ${comparable(quoted(name))}) > 0) AS c${index}`,
    );
    const [row] = await db.rows<Record<string, number | null>>(
      `SELECT ${found.join(', ')} FROM ${quoted(table)}`,
      names.map(() => text),
    );
    hits.push(...names.filter((_, index) => Number(row?.[`c${index}`]) === 1).map((name) => `${table}.${name}`));
  }
  return hits;
}
