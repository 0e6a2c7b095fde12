import { turnsOfEnvironment } from '#core/kernel/environment/turns.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { renderBodies } from './content.js';
import { templateVersionLoader } from '../templates/render.js';

/**
 * Renders a published template with some variables, in each of its languages.
 * @returns the variables that are missing in at least one language, by their paths
 */
export async function missingTemplateVariables(
  db: Pick<ReadSession, 'rows'>,
  environmentId: string,
  { versionId, locales }: Pick<PublishedTemplate, 'versionId' | 'locales'>,
  variables: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const version = (await templateVersionLoader.load(db, [versionId])).get(versionId);
  const bodies = locales.map((locale) => ({ body: version?.contents[locale]?.body ?? '', variables }));
  const rendered = await renderBodies(await turnsOfEnvironment(db, environmentId), bodies);
  return [...new Set(rendered.flatMap((each) => ('missing' in each ? each.missing : [])))];
}
