import type { Session } from './session.js';
import type { Table } from './table.js';

/** Reads a row by its key and locks it until the transaction ends. @returns null if it does not exist */
export async function lockOne<R extends object>(
  db: Pick<Session, 'rows'>,
  table: Table<R>,
  where: Partial<R>,
): Promise<R | null> {
  const { sql, parameters } = table.lockRows(where);
  const [found] = await db.rows<object>(sql, parameters);
  return found ? table.decode(found) : null;
}
