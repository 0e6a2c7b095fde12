import { turnsOfEnvironment } from '#core/kernel/environment/turns.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { loadTemplateVersion, renderTemplateContent } from './render.js';

/**
 * Renders a published template with some variables, in each of its languages.
 * @param subject replaces the template's own, if it is given
 * @returns the variables that are missing in at least one language, by their paths
 */
export async function missingTemplateVariables(
  db: Pick<ReadSession, 'rows'>,
  environmentId: string,
  { versionId, locales }: Pick<PublishedTemplate, 'versionId' | 'locales'>,
  variables: Readonly<Record<string, unknown>>,
  subject: string | undefined,
): Promise<string[]> {
  const [version, turns] = await Promise.all([
    loadTemplateVersion(db, versionId),
    turnsOfEnvironment(db, environmentId),
  ]);
  const missing = new Set<string>();
  for (const locale of locales) {
    const [rendered] = await renderTemplateContent(turns, version, locale, [variables], { subject });
    if (rendered && 'missing' in rendered) rendered.missing.forEach((name) => missing.add(name));
  }
  return [...missing];
}
