import { textTag } from '#core/kernel/language.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import { renderBuiltInText as render } from '#core/messaging/templates/system.js';
import type { ThemeValue } from '#plugins/account/ports.js';
import { layOut } from '../layout/layout.js';
import { contentStyles } from '../layout/styles.js';
import type { Content } from '../templates/content.js';
import { builtInSource } from '../templates/built-in.js';

/**
 * Renders the built-in texts of a system mail in the environment's theme.
 * @param locale one of the template's
 * @param variables including `brandName`; without `url` there is no button
 */
export function renderBuiltIn(
  template: EmailSystemTemplate,
  locale: string,
  theme: ThemeValue,
  variables: Readonly<Record<string, unknown>>,
): Content {
  const texts = template.locales[locale];
  if (!texts) throw new Error(`The built-in template ${template.name} has no texts in ${locale}.`);
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
