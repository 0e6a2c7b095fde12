import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { contactFields } from '#core/messaging/broadcasts/sources.js';
import { contentsOf } from '#core/messaging/templates/draft.js';
import { pickLocale, readLocale } from '#core/messaging/templates/locale.js';
import { findLiveTemplate, templateNotFound } from '#core/messaging/templates/operations.js';
import { systemTemplateOf } from '#core/messaging/templates/system.js';
import { notPublished } from '#core/messaging/templates/published-contents.js';
import { directory } from '#plugins/account/ports.js';
import { contentOrRefuse, renderContents, type Content, type ContentSource } from '../messages/content.js';
import { builtInSources } from '../system-mail/built-in.js';
import { templateTables } from '../tables/template.js';
import { emailTemplates } from './channel.js';
import { compileInThread } from './compile/compile-pool.js';
import { loadTemplateVersion, subscriberVariables } from './render.js';

type Reading = Pick<Context, 'db' | 'use' | 'deployment'>;

/** A content and its language; inline content has none. */
interface LocalizedSource {
  readonly source: ContentSource;
  readonly locale?: string;
}

/**
 * What a template would be rendered from: its draft, else its published version, else the built-in texts of a system template.
 * @param wanted.draft false: not the draft
 * @returns the source, and its language
 * @throws not_found, template_not_published, template_invalid
 */
export async function previewSource(
  { db, use, deployment }: Reading,
  environment: Environment,
  wanted: { name: string; draft: boolean; locale: string | undefined },
): Promise<LocalizedSource> {
  const { name } = wanted;
  const locale = readLocale(wanted.locale);
  const [row, theme, projectLocale] = await Promise.all([
    findLiveTemplate(db, emailTemplates, environment.id, name),
    use(directory).theme(environment),
    use(directory).locale(environment.projectId),
  ]);
  const system = systemTemplateOf(deployment, 'email', name);
  if (!row && !system) throw templateNotFound('email');
  if (row?.hasDraft && wanted.draft) {
    const drafts = await contentsOf(db, templateTables, row.id);
    const chosen = pickLocale(
      drafts.map((each) => each.locale),
      [locale, projectLocale],
      row.defaultLocale,
    );
    const draft = drafts.find((each) => each.locale === chosen);
    if (draft) {
      const source = await compileInThread(environment.id, { source: draft.source, locale: chosen, theme });
      return { source, locale: chosen };
    }
  }
  if (row?.publishedId) {
    const { contents, locales, defaultLocale } = await loadTemplateVersion(db, row.publishedId);
    const chosen = pickLocale(locales, [locale, projectLocale], defaultLocale);
    const published = contents[chosen];
    if (published) return { source: published, locale: chosen };
  }
  if (!system) throw notPublished('email', { name });
  const sources = builtInSources(system);
  const chosen = pickLocale(Object.keys(sources), [locale, projectLocale], 'en');
  const source = sources[chosen];
  if (!source) throw new Error(`The built-in template ${name} has no texts in ${chosen}.`);
  return { source: await compileInThread(environment.id, { source, locale: chosen, theme }), locale: chosen };
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
  { source, locale }: LocalizedSource,
  variables: Readonly<Record<string, unknown>>,
): Promise<Content & { missing: readonly string[] }> {
  const [rendered] = await renderContents(environmentId, [{ source, variables, locale, isPreview: true }]);
  if (!rendered) throw new Error('The render pool returned no result.');
  if (!rendered.ok && 'missing' in rendered && rendered.preview)
    return { ...rendered.preview, missing: rendered.missing.filter((name) => !always.has(name)) };
  return { ...contentOrRefuse(rendered), missing: [] };
}
