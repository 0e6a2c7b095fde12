import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { TemplateRow, TemplateTables, TemplateVersionRow } from './tables.js';

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

/** Versions that are listed, at most. */
const maxListed = 100;

/**
 * The versions of a template, newest first.
 * @param among also listed, no matter how old it is
 */
export async function versionsOf(
  db: Pick<ReadSession, 'rows'>,
  { versions }: Pick<TemplateTables<unknown, unknown>, 'versions'>,
  { id, firstVersion, lastVersion }: TemplateRow,
  among?: number,
): Promise<TemplateVersionRow[]> {
  const rows = await db.rows<object>(
    `SELECT ${versions.columnList()} FROM ${versions.tableName}
     WHERE template_id = ? AND version >= ? AND (version > ? OR version = ?) ORDER BY version DESC`,
    [idBytes(id), firstVersion, lastVersion - maxListed, among ?? 0],
  );
  return rows.map((row) => versions.decode(row));
}
