import { turnsOf } from '#core/kernel/caller/share.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { contactFields, contactVariables } from '#core/messaging/broadcasts/sources.js';
import { checkContents } from '#core/messaging/templates/check.js';
import { contentsOf } from '#core/messaging/templates/draft.js';
import { pickLocale, readLocale } from '#core/messaging/templates/locale.js';
import { findLiveTemplate, templateNotFound } from '#core/messaging/templates/show.js';
import { systemTemplateOf } from '#core/messaging/templates/system.js';
import { notPublished } from '#core/messaging/templates/published-contents.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import { directory } from '#plugins/account/ports.js';
import { contacts, recipients, type ContactFacts } from '#plugins/audience/ports.js';
import { withFooter } from '../layout/footer.js';
import { contentOrRefuse, renderContents, type Content, type ContentSource } from './content.js';
import { findSender } from '../senders/sender.js';
import { builtInSources } from './built-in.js';
import { templateTables, type TemplateSource } from '../tables/template.js';
import { emailTemplates } from './channel.js';
import { compileInThread } from './compile/compile-pool.js';
import { loadTemplateVersion, subscriberVariables, type SubscriberVariables } from './render.js';

/** A content and its language; inline content has none. */
interface LocalizedSource {
  readonly source: ContentSource;
  readonly locale?: string;
}

/** The recipient of a preview. */
interface PreviewReader {
  readonly contact: ContactFacts | null;
  /** The variables of mail under a topic; null without one. */
  readonly subscriber: Required<SubscriberVariables> | null;
}

/** An id that no contact has: its preferences link looks like a subscriber's, but leads to no contact's choices. */
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * Reads the contact that a preview is for, and the variables of mail under a topic.
 * @throws not_found, topic_archived
 */
export async function previewReader(
  context: Pick<Context, 'db' | 'use' | 'deployment'>,
  environment: Environment,
  { topic, contactId }: { topic: string | undefined; contactId: string | undefined },
): Promise<PreviewReader> {
  const audience = context.use(recipients);
  const [facts, sender] = await Promise.all([
    contactId === undefined ? undefined : context.use(contacts).facts(environment.id, [contactId]),
    topic === undefined ? undefined : findSender(context, environment.id),
    topic === undefined ? undefined : audience.mustBeSendable(environment.id, topic),
  ]);
  const contact = facts?.get(contactId ?? '') ?? null;
  if (facts && !contact) throw refusalOf.not_found({ thing: 'contact', lookup: 'audience.contact.list' });
  if (topic === undefined) return { contact, subscriber: null };
  const preferencesUrl = audience.preferencesUrl(contact?.id ?? nobody, { channel: 'email', topic });
  return { contact, subscriber: { preferencesUrl, legalAddress: sender?.legalAddress ?? '' } };
}

/**
 * The source that a template would be rendered from: its draft, else its published version, else the built-in texts of
 * a system template.
 * @param wanted.draft false: not the draft
 * @param wanted.contactLocale the language of the contact that the preview is for
 * @returns the source, and its language
 * @throws not_found, template_not_published, template_invalid
 */
export async function previewSource(
  { db, use, deployment }: Pick<Context, 'db' | 'use' | 'deployment'>,
  environment: Environment,
  wanted: { name: string; draft: boolean; locale: string | undefined; contactLocale: string | null },
): Promise<LocalizedSource> {
  const { name } = wanted;
  const locale = readLocale(wanted.locale) ?? wanted.contactLocale;
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
      const source = await compileInThread(turnsOf(environment), { source: draft.source, locale: chosen, theme });
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
  return { source: await compileInThread(turnsOf(environment), { source, locale: chosen, theme }), locale: chosen };
}

/**
 * Inline content as a source: as email.send would send it, or as the text of a template.
 * @param wanted the language of the layout, or undefined for the project's; null for content without layout
 * @param look the theme of the layout; the published one by default
 * @throws template_invalid with the place in the content as it was given
 */
export async function contentSource(
  { use }: Pick<Context, 'use'>,
  environment: Environment,
  source: TemplateSource,
  wanted: string | undefined | null,
  look?: PageTheme,
): Promise<LocalizedSource> {
  if (wanted === null) return { source };
  const [theme, projectLocale] = await Promise.all([
    look ?? use(directory).theme(environment),
    use(directory).locale(environment.projectId),
  ]);
  const locale = readLocale(wanted) ?? projectLocale;
  // The layout moves lines, so the syntax is checked before.
  await checkContents(turnsOf(environment), emailTemplates, { [locale]: source });
  return { source: await compileInThread(turnsOf(environment), { source, locale, theme }), locale };
}

/** The variables that every mail of a broadcast has, for any recipient. */
const always: ReadonlySet<string> = new Set([
  ...[...contactFields].map((field) => `contact.${field}`),
  'contact',
  ...subscriberVariables,
]);

/**
 * Renders a source. Missing variables are listed, and appear in the texts as `{{ name }}`. Variables that every
 * broadcast has are not listed. Under a topic, a template gets the same end as in a broadcast.
 * @throws template_invalid, invalid_input naming the subject, rate_limited
 */
export async function previewContent(
  environment: Environment,
  { source, locale }: LocalizedSource,
  given: Readonly<Record<string, unknown>>,
  { contact, subscriber }: PreviewReader,
): Promise<Content & { missing: readonly string[] }> {
  const own = contact ? contactVariables({ variables: given }, contact, locale ?? '') : given;
  const variables = { ...own, ...subscriber };
  const [rendered] = await renderContents(turnsOf(environment), [{ source, variables, locale, isPreview: true }]);
  if (!rendered) throw new Error('The render pool returned no result.');
  const ended = (content: Content): Content =>
    subscriber && locale !== undefined ? withFooter(content, { ...subscriber, locale }) : content;
  if (!rendered.ok && 'missing' in rendered && rendered.preview)
    return { ...ended(rendered.preview), missing: rendered.missing.filter((name) => !always.has(name)) };
  return { ...ended(contentOrRefuse(rendered)), missing: [] };
}
