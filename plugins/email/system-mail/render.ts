import type { Environment } from '#core/kernel/caller/caller.js';
import { turnsOf } from '#core/kernel/caller/share.js';
import type { Context } from '#core/kernel/context.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { formatTag, textTag } from '#core/kernel/language.js';
import { guardedOf } from '#core/messaging/templates/guarded.js';
import { findPublishedTemplate, type PublishedTemplate } from '#core/messaging/templates/published.js';
import { renderSystem, type RenderedSystem, renderBuiltInText as render } from '#core/messaging/templates/system.js';
import type { ThemeValue } from '#plugins/account/ports.js';
import type { Content } from '../templates/content.js';
import type { SystemMail } from '../ports.js';
import { templateTables } from '../tables/template.js';
import { loadTemplateVersion, renderTemplateContent } from '../templates/render.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import { layOut } from '../layout/layout.js';
import { contentStyles } from '../layout/styles.js';
import { builtInSource } from '../templates/built-in.js';

/**
 * The published version that replaces the built-in texts of a system mail in an environment, if there is one. In test
 * environments invitations are sent with the built-in texts: they are sent to strangers, and anybody with a test key
 * could send them any text.
 */
export const findOverride = async (
  { db }: Pick<Context, 'db'>,
  environment: Environment,
  { template }: SystemMail,
): Promise<PublishedTemplate | null> =>
  environment.kind === 'test' && template.budget === 'invitation'
    ? null
    : findPublishedTemplate(db, templateTables, environment.id, template.name);

/**
 * Renders a system mail, see renderSystem.
 * @param wanted the recipient's language, then the project's
 */
export function renderSystemMail(
  { db }: Pick<Context, 'db'>,
  environment: Environment,
  { template, variables: given, url }: SystemMail,
  {
    theme,
    override,
    wanted,
  }: { theme: ThemeValue; override: PublishedTemplate | null; wanted: readonly (string | undefined)[] },
): Promise<RenderedSystem<Content>> {
  const variablesIn = (locale: string): Record<string, string> => ({
    ...(typeof given === 'function' ? given(formatTag(locale, wanted)) : given),
    ...(url === undefined ? {} : { url }),
    brandName: theme.brandName,
  });
  return renderSystem({
    template,
    override,
    wanted,
    renderOverride: (published, locale) =>
      renderOverride({ db }, environment, { override: published, locale, variables: variablesIn(locale) }),
    renderBuiltIn: (locale) => renderBuiltIn(template, locale, theme, variablesIn(locale)),
  });
}

/** @returns undefined if it cannot be rendered, or if it would leak a code or link */
async function renderOverride(
  { db }: Pick<Context, 'db'>,
  environment: Environment,
  { override, locale, variables }: { override: PublishedTemplate; locale: string; variables: Record<string, unknown> },
): Promise<Content | undefined> {
  const version = await loadTemplateVersion(db, override.versionId);
  try {
    const [rendered] = await renderTemplateContent(turnsOf(environment), version, locale, [variables], {
      guarded: guardedOf(variables),
    });
    return rendered?.ok ? rendered.content : undefined;
  } catch (error) {
    // Too many templates of the environment wait for rendering.
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}

/**
 * Renders the built-in texts of a system mail in the environment's theme.
 * @param locale one of the template's
 * @param variables including `brandName`; without `url`, it has no button
 */
function renderBuiltIn(
  template: EmailSystemTemplate,
  locale: string,
  theme: ThemeValue,
  variables: Readonly<Record<string, unknown>>,
): Content {
  const texts = template.locales[locale];
  if (!texts) throw new Error(`The built-in template ${template.name} has no content in ${locale}.`);
  const { button: _button, ...withoutButton } = texts;
  const styles = contentStyles(theme);
  const { subject, html, text } = builtInSource(
    locale,
    'url' in variables ? texts : withoutButton,
    (selector) => ` style="${styles[selector]}"`,
  );
  return {
    subject: render(subject, variables, 'none').replace(/\p{Cc}+/gu, ' '),
    text: render(text ?? '', variables, 'none'),
    html: layOut(theme, {
      locale: textTag(locale),
      title: render(subject, variables, 'html'),
      content: render(html ?? '', variables, 'html'),
      forSubscribers: false,
    }),
  };
}
