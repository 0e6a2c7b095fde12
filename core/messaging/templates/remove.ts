import type { Session } from '#core/runtime/database/session.js';
import type { TemplateRow, TemplateTables } from './tables.js';

/**
 * Deletes a template that the caller has locked. Its versions stay readable by id, for messages that were queued
 * before; its name can be used again, and version numbers continue.
 * @returns the updated template
 */
export async function removeTemplate(
  db: Session,
  tables: TemplateTables<unknown, unknown>,
  before: TemplateRow,
  now: Date,
): Promise<TemplateRow> {
  const after: TemplateRow = {
    ...before,
    hasDraft: false,
    publishedId: null,
    publishedVersion: null,
    firstVersion: before.lastVersion + 1,
    revision: before.revision + 1,
    updatedAt: now,
    deletedAt: now,
  };
  await db.remove(tables.contents, { ownerId: before.id });
  await db.run(tables.templates.updateRow({ id: before.id }, after));
  return after;
}
