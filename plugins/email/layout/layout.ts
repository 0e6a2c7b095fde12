import { escapeHtml, webAddress, type PageTheme } from '#core/surfaces/pages/theme.js';
import { headSheet, layoutStyles, type LayoutPart } from './styles.js';
import { footerWords } from './words.js';

/** Text as HTML that is not a template: a name that looks like a tag of a template is shown unchanged. */
const literalHtml = (text: string): string => escapeHtml(text).replaceAll('{', '&#123;').replaceAll('}', '&#125;');

/** The content of a mail, as HTML. */
interface LayoutContent {
  /** BCP 47. */
  readonly locale: string;
  /** HTML text, which some mail programs show in a tab's title. */
  readonly title: string;
  readonly content: string;
  /** Additional style sheets for the head. */
  readonly styles?: string;
  /** Mail to subscribers: the footer shows the variables `legalAddress` and `preferencesUrl` if they are given. */
  readonly forSubscribers: boolean;
}

/** The scripts that are written from right to left (ISO 15924). */
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi']);

/** Whether a locale's script, which may follow from its language, is written from right to left. */
const isRightToLeft = (locale: string): boolean => rightToLeft.has(new Intl.Locale(locale).maximize().script ?? '');

/**
 * The mail of a content: the theme's brand above it and a footer below, in tables and with styles on the elements,
 * because all mail programs show these. 600 pixels wide at most, in light and dark.
 */
export function layOut(
  theme: PageTheme,
  { locale, title, content, styles = '', forSubscribers }: LayoutContent,
): string {
  const style = layoutStyles(theme);
  const part = (name: LayoutPart): string => `class="svc-${name}" style="${style[name]}"`;
  const table = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';
  // Webmail shows the content of the body in its own page, without the html element and often without the body.
  const direction = isRightToLeft(locale) ? ' dir="rtl"' : '';
  return `<!doctype html>
<html lang="${locale}"${direction}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
${headSheet(theme)}
</style>
${styles}</head>
<body class="svc-page"${direction} style="margin:0;padding:0;${style.page}">
<table ${table}${direction} ${part('page')}><tr><td align="center" ${part('gutter')}>
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table ${table} ${part('frame')}>
<tr><td ${part('brand')}>${brand(theme, part('logo'))}</td></tr>
<tr><td ${part('card')}>
${content}
</td></tr>
<tr><td ${part('footer')}>${footer(theme, locale, part('footer-link'), forSubscribers)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}

function brand({ brandName, logoUrl }: PageTheme, style: string): string {
  const logo = webAddress(logoUrl, ['https:']);
  const name = literalHtml(brandName);
  return logo === null ? name : `<img src="${literalHtml(logo)}" alt="${name}" height="36" ${style}>`;
}

function footer(theme: PageTheme, locale: string, style: string, forSubscribers: boolean): string {
  const words = footerWords(locale);
  const link = (url: string, label: string): string =>
    `<a href="${literalHtml(url)}" ${style}>${literalHtml(label)}</a>`;
  const supportUrl = webAddress(theme.supportUrl, ['https:', 'http:']);
  const links = [
    literalHtml(theme.brandName),
    ...(supportUrl === null ? [] : [link(supportUrl, words.help)]),
    ...(theme.supportEmail === null ? [] : [link(`mailto:${theme.supportEmail}`, theme.supportEmail)]),
  ].join(' · ');
  if (!forSubscribers) return links;
  return `${links}{% if legalAddress %}<br>{{ legalAddress | escape | newline_to_br | raw }}{% endif %}{% if preferencesUrl %}<br><a href="{{ preferencesUrl }}" ${style}>${literalHtml(words.preferences)}</a>{% endif %}`;
}
