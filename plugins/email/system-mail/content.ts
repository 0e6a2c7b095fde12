import { renderTemplate, type Escaping } from '#core/messaging/templates/liquid.js';
import type { ThemeValue } from '#plugins/account/ports.js';
import type { SystemMail } from '../ports.js';
import type { Content } from '../messages/content.js';

const fonts = {
  system: 'system-ui, -apple-system, Segoe UI, Roboto, sans-serif',
  serif: 'Georgia, serif',
  mono: 'ui-monospace, Menlo, monospace',
} as const;
const radii = { none: '0', small: '6px', large: '14px' } as const;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** @throws Error when a variable is missing: a built-in template that does not render is an error of ours */
function render(source: string, variables: Readonly<Record<string, string>>, escaping: Escaping): string {
  const rendered = renderTemplate(source, variables, escaping);
  if (!rendered.ok) throw new Error(`A built-in template does not render: ${JSON.stringify(rendered)}`);
  return rendered.text;
}

/** Renders a system mail in the environment's theme, as text and HTML with tables and inline styles, which all mail programs support. */
export function renderSystemMail({ template, variables, url, locale }: SystemMail, theme: ThemeValue): Content {
  const language =
    [locale, locale?.split('-')[0], 'en'].find((each) => each !== undefined && each in template.locales) ?? 'en';
  const texts = template.locales[language];
  if (!texts) throw new Error(`The built-in template ${template.name} has no English texts.`);
  const words = { ...variables, brandName: theme.brandName };
  const part = (source: string, escaping: Escaping): string => render(source, words, escaping);
  const button =
    texts.button !== undefined && url !== undefined ? { label: part(texts.button, 'none'), url } : undefined;
  const text = [
    part(texts.heading, 'none'),
    part(texts.body, 'none'),
    button && `${button.label}: ${button.url}`,
    part(texts.footer, 'none'),
    theme.brandName,
  ];
  return {
    subject: part(texts.subject, 'none').replace(/\p{Cc}+/gu, ' '),
    text: `${text.filter((each) => each !== undefined).join('\n\n')}\n`,
    html: page(theme, language, {
      title: part(texts.subject, 'html'),
      heading: part(texts.heading, 'html'),
      body: part(texts.body, 'html').replaceAll('\n', '<br>'),
      footer: part(texts.footer, 'html').replaceAll('\n', '<br>'),
      button,
    }),
  };
}

interface Parts {
  title: string;
  heading: string;
  body: string;
  footer: string;
  button: { label: string; url: string } | undefined;
}

function page(
  { brandName, colors, radius, font }: ThemeValue,
  language: string,
  { title, heading, body, footer, button }: Parts,
): string {
  const action = button
    ? `<p style="margin:28px 0"><a href="${escaped(button.url)}" style="display:inline-block;padding:14px 24px;background:${colors.primary};color:${colors.onPrimary};text-decoration:none;font-weight:600;border-radius:${radii[radius]}">${escaped(button.label)}</a></p>
<p style="margin:0 0 24px;font-size:13px;word-break:break-all"><a href="${escaped(button.url)}" style="color:${colors.link}">${escaped(button.url)}</a></p>`
    : '';
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="margin:0;background:${colors.background};color:${colors.text};font-family:${fonts[font]};line-height:1.5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:${colors.surface};border:1px solid ${colors.border};border-radius:${radii[radius]}"><tr><td style="padding:32px">
<p style="margin:0 0 24px;font-weight:600">${escaped(brandName)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${heading}</h1>
<p style="margin:0">${body}</p>
${action}
<p style="margin:24px 0 0;font-size:13px">${footer}</p>
</td></tr></table>
</td></tr></table>
</body></html>
`;
}
