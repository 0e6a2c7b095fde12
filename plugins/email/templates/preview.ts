import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { contactFields } from '#core/messaging/broadcasts/sources.js';
import { contentsOf } from '#core/messaging/templates/draft.js';
import { pickLocale, readLocale } from '#core/messaging/templates/locale.js';
import { findLiveTemplate, templateNotFound } from '#core/messaging/templates/operations.js';
import { notPublished } from '#core/messaging/templates/published-contents.js';
import { directory } from '#plugins/account/ports.js';
import { contentOrRefuse, renderContents, type Content, type ContentSource } from '../messages/content.js';
import { builtInSources } from '../system-mail/built-in.js';
import { templateTables } from '../tables/template.js';
import { emailTemplates, systemTemplate } from './channel.js';
import { compileInThread } from './compile/compile-pool.js';
import { loadTemplateVersion, subscriberVariables } from './render.js';

type Reading = Pick<Context, 'db' | 'use' | 'deployment'>;

/**
 * What a template would be rendered from: its draft, else its published version, else the built-in texts of a system template.
 * @param wanted.draft false: not the draft
 * @throws not_found, template_not_published, template_invalid
 */
export async function previewSource(
  { db, use, deployment }: Reading,
  environment: Environment,
  wanted: { name: string; draft: boolean; locale: string | undefined },
): Promise<ContentSource> {
  const { name } = wanted;
  const locale = readLocale(wanted.locale);
  const [row, theme, projectLocale] = await Promise.all([
    findLiveTemplate(db, emailTemplates, environment.id, name),
    use(directory).theme(environment),
    use(directory).locale(environment.projectId),
  ]);
  const system = systemTemplate(deployment, name);
  if (!row && !system) throw templateNotFound('email');
  if (row?.hasDraft && wanted.draft) {
    const drafts = await contentsOf(db, templateTables, row.id);
    const chosen = pickLocale(
      drafts.map((each) => each.locale),
      [locale, projectLocale],
      row.defaultLocale,
    );
    const draft = drafts.find((each) => each.locale === chosen);
    if (draft) return compileInThread(environment.id, { source: draft.source, locale: chosen, theme });
  }
  if (row?.publishedId) {
    const { contents, locales, defaultLocale } = await loadTemplateVersion(db, row.publishedId);
    const published = contents[pickLocale(locales, [locale, projectLocale], defaultLocale)];
    if (published) return published;
  }
  if (!system) throw notPublished('email', { name });
  const sources = builtInSources(system);
  const chosen = pickLocale(Object.keys(sources), [locale, projectLocale], 'en');
  const source = sources[chosen];
  if (!source) throw new Error(`The built-in template ${name} has no texts in ${chosen}.`);
  return compileInThread(environment.id, { source, locale: chosen, theme });
}

/** What every mail of a broadcast has, whoever gets it. */
const always: ReadonlySet<string> = new Set([
  ...[...contactFields].map((field) => `contact.${field}`),
  'contact',
  ...subscriberVariables,
]);

/**
 * Renders a source; where variables are missing they are listed, and stand in the texts as `{{ name }}`. Those that every broadcast has are
 * not listed.
 * @throws template_invalid, invalid_input naming the subject, rate_limited
 */
export async function previewContent(
  environmentId: string,
  source: ContentSource,
  variables: Readonly<Record<string, unknown>>,
): Promise<Content & { missing: readonly string[] }> {
  const [rendered] = await renderContents(environmentId, [{ source, variables, isPreview: true }]);
  if (!rendered) throw new Error('The render pool returned no result.');
  if (!rendered.ok && 'missing' in rendered && rendered.preview)
    return { ...rendered.preview, missing: rendered.missing.filter((name) => !always.has(name)) };
  return { ...contentOrRefuse(rendered), missing: [] };
}
