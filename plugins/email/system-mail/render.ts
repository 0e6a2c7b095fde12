import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { pickLocale } from '#core/messaging/templates/locale.js';
import { findPublishedTemplate, type PublishedTemplate } from '#core/messaging/templates/published.js';
import type { ThemeValue } from '#plugins/account/ports.js';
import type { Content } from '../messages/content.js';
import type { SystemMail } from '../ports.js';
import { templateTables } from '../tables/template.js';
import { loadTemplateVersion, renderTemplateContent } from '../templates/render.js';
import { renderBuiltIn } from './content.js';

/** A system mail, and what it was made from. */
export interface RenderedSystemMail {
  readonly content: Content;
  readonly template: { readonly name: string; readonly version: number | null; readonly locale: string };
}

/** The published version that replaces the built-in texts of a system mail in an environment, if there is one. */
export const findOverride = (
  { db }: Pick<Context, 'db'>,
  environment: Environment,
  { template }: SystemMail,
): Promise<PublishedTemplate | null> => findPublishedTemplate(db, templateTables, environment.id, template.name);

/**
 * Renders a system mail from its override, or from the built-in texts: where there is no override, and where it cannot be rendered, because
 * a sign-in code that looks plain is better than none.
 * @param wanted the recipient's language, then the project's; else the template's default one
 */
export async function renderSystemMail(
  { db }: Pick<Context, 'db'>,
  environment: Environment,
  { template, variables: given, url }: SystemMail,
  {
    theme,
    override,
    wanted,
  }: { theme: ThemeValue; override: PublishedTemplate | null; wanted: readonly (string | undefined)[] },
): Promise<RenderedSystemMail> {
  const variables = { ...given, ...(url === undefined ? {} : { url }), brandName: theme.brandName };
  if (override) {
    const locale = pickLocale(override.locales, wanted, override.defaultLocale);
    const content = await renderOverride({ db }, environment, { override, locale, variables });
    if (content) return { content, template: { name: template.name, version: override.version, locale } };
  }
  const locale = pickLocale(Object.keys(template.locales), wanted, 'en');
  const content = renderBuiltIn(template, locale, theme, variables);
  return { content, template: { name: template.name, version: null, locale } };
}

/** @returns undefined when it cannot be rendered */
async function renderOverride(
  { db }: Pick<Context, 'db'>,
  environment: Environment,
  { override, locale, variables }: { override: PublishedTemplate; locale: string; variables: Record<string, unknown> },
): Promise<Content | undefined> {
  const version = await loadTemplateVersion(db, override.versionId);
  try {
    const [rendered] = await renderTemplateContent(environment.id, version, locale, [variables]);
    return rendered?.ok ? rendered.content : undefined;
  } catch (error) {
    // Too many templates of the environment wait for rendering.
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}
