import { findPublishedTemplates, type PublishedTemplate } from '#core/messaging/templates/published.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { templateTables } from '../../tables/template.js';

/** The published versions of email templates. @returns by name; absent if nothing is published */
export async function findStepTemplates(
  db: Pick<ReadSession, 'rows'>,
  environmentId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, PublishedTemplate>> {
  const refs = names.map((name) => ({ name }));
  const found = await findPublishedTemplates(db, templateTables, environmentId, refs);
  return new Map(found.flatMap((template) => (template ? [[template.name, template] as const] : [])));
}
