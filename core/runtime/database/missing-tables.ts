import type { ReadSession } from './read-session.js';

/** Which of `tables` the database does not have. */
export async function missingTables(database: ReadSession, tables: readonly string[]): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const present = new Set(rows.map(({ name }) => name));
  return tables.filter((table) => !present.has(table));
}
