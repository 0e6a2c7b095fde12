import type { Session } from '#core/runtime/database/session.js';

interface Column {
  table: string;
  name: string;
}

/**
 * Compares as bytes, so that all kinds of columns are searched in the same way, and ignores the case of ASCII letters.
 */
const comparable = (sql: string): string => `LOWER(CONVERT(CAST(${sql} AS BINARY) USING latin1))`;
const quoted = (name: string): string => `\`${name}\``;

/**
 * Searches for a text in every column of every table, like a search in a dump: text, JSON and bytes, ignoring case.
 * Encrypted values cannot be found this way: check that those rows are deleted.
 * @returns `table.column` for each column that contains it, in order
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
