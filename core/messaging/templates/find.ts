import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { TemplateRow, TemplateTables } from './tables.js';

type Tables = Pick<TemplateTables<unknown, unknown>, 'templates'>;

/** The template with a name, also when it was deleted; null when there never was one. */
export const findTemplate = (
  db: Pick<ReadSession, 'prepared'>,
  tables: Tables,
  environmentId: string,
  name: string,
): Promise<TemplateRow | null> => select(db, tables, environmentId, name, '');

/** Like `findTemplate`, locked until the transaction ends. */
export const lockTemplate = (
  db: Session,
  tables: Tables,
  environmentId: string,
  name: string,
): Promise<TemplateRow | null> => select(db, tables, environmentId, name, ' FOR UPDATE');

async function select(
  db: Pick<ReadSession, 'prepared'>,
  { templates }: Tables,
  environmentId: string,
  name: string,
  locking: '' | ' FOR UPDATE',
): Promise<TemplateRow | null> {
  const [found] = await db.prepared<object>(
    `SELECT ${templates.columnList()} FROM ${templates.tableName} WHERE environment_id = ? AND name = ?${locking}`,
    [idBytes(environmentId), Buffer.from(name)],
  );
  return found ? templates.decode(found) : null;
}
