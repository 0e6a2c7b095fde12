import { labelOf } from '#core/surfaces/pages/texts.js';
import { footerWords } from './words.js';

interface Footer {
  /** The sender's postal address. */
  readonly legalAddress: string;
  readonly preferencesUrl: string;
  /** The language of the content (BCP 47). */
  readonly locale: string;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** In the form that Liquid's `escape` writes, to check what a template shows. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
const lines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

/** Adds the postal address and the way to unsubscribe if a template shows neither by itself nor through its layout. */
export function withFooter<Content extends { readonly html: string | null; readonly text: string | null }>(
  content: Content,
  footer: Footer,
): Content {
  const html = content.html === null ? null : htmlWith(content.html, footer);
  const text = content.text === null ? null : textWith(content.text, footer);
  return { ...content, html, text };
}

function textWith(text: string, { legalAddress, preferencesUrl, locale }: Footer): string {
  const missing = [
    ...(lines(legalAddress).every((line) => text.includes(line)) ? [] : lines(legalAddress)),
    ...(text.includes(preferencesUrl) ? [] : [`${labelOf(locale, footerWords(locale).preferences)} ${preferencesUrl}`]),
  ];
  return missing.length === 0 ? text : `${text.trimEnd()}\n\n-- \n${missing.join('\n')}\n`;
}

function htmlWith(html: string, { legalAddress, preferencesUrl, locale }: Footer): string {
  const has = (wanted: string): boolean => html.includes(wanted) || html.includes(escaped(wanted));
  const link = `<a href="${escaped(preferencesUrl)}">${escaped(footerWords(locale).preferences)}</a>`;
  const missing = [
    ...(lines(legalAddress).every(has) ? [] : [lines(legalAddress).map(escaped).join('<br>')]),
    ...(has(preferencesUrl) ? [] : [link]),
  ];
  if (missing.length === 0) return html;
  const footer = `<p style="font-size:12px;color:#666">${missing.join('<br>')}</p>`;
  const end = html.search(/<\/body\s*>/i);
  return end === -1 ? html + footer : html.slice(0, end) + footer + html.slice(end);
}
