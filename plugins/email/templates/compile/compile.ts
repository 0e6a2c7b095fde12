import { isRecord } from '#core/runtime/json.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import { layOut } from '../../layout/layout.js';
import { contentSheet } from '../../layout/styles.js';
import type { CompiledTemplate, TemplateSource } from '../../tables/template.js';
import { inlineStyles, layoutSheet } from './inline-styles.js';
import { markLiquid } from './liquid-marks.js';
import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

export interface CompileRequest {
  readonly source: TemplateSource;
  /** BCP 47. */
  readonly locale: string;
  readonly theme: PageTheme;
}

/** Blanks that follow the preheader, so that mailboxes do not show the beginning of the text after it. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(60);

const hidden =
  'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all';

/** HTML with its own `<html>` element is a complete mail: it gets no layout. */
const isWhole = (html: string): boolean => /<html[\s>]/i.test(html);

/** A text with Liquid as HTML with the same Liquid. */
function asHtml(text: string): string {
  const marked = markLiquid(text);
  return marked.restore(marked.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
}

/**
 * Style elements are moved to the head: some programs drop them in the body. Style elements in comments, which only
 * Outlook reads, stay.
 */
function withLayout(html: string, subject: string, { locale, theme }: CompileRequest): string {
  const styles: string[] = [];
  const content = html.replace(/<!--[\s\S]*?-->|<style\b[^>]*>[\s\S]*?<\/style\s*>/gi, (found) => {
    if (found.startsWith('<!--')) return found;
    styles.push(found);
    return '';
  });
  const sheets = [
    `<style ${layoutSheet}>\n${contentSheet(theme)}\n</style>\n`,
    ...styles.map((element) => `${element}\n`),
  ];
  return layOut(theme, { locale, title: subject, content, styles: sheets.join(''), forSubscribers: true });
}

function withPreheader(html: string, preheader: string): string {
  const block = `<div style="${hidden}">${preheader}${filler}</div>`;
  const body = html.search(/<body\b/i);
  const end = body < 0 ? 0 : html.indexOf('>', body) + 1;
  if (end === 0) return `${block}${html}`;
  return `${html.slice(0, end)}\n${block}${html.slice(end)}`;
}

/** A line of tags such as `{% for … %}`, which produce no line. */
const lineOfTags = /^[ \t]*((?:\{%(?:(?!%\}).)*%\}[ \t]*)+)\n/gm;

/**
 * Compiles a template's texts into the texts that messages are rendered from: the HTML in the layout, its CSS on the
 * elements, the preheader before it, and a text part. Reads neither files nor the network. Runs in a thread
 * (compile-thread.ts), because some HTML can take a long time.
 * @throws Error if the HTML cannot be read, such as when it is nested too deeply
 */
export function compileTemplate(request: CompileRequest): CompiledTemplate {
  const { source } = request;
  const { subject, html, text, preheader } = source;
  if (html === null) return { subject, html, text: text ?? '', isTextGenerated: false };
  const whole = isWhole(html) ? html : withLayout(html, asHtml(subject), request);
  const marked = markLiquid(preheader === null ? whole : withPreheader(whole, asHtml(preheader)));
  const inlined = marked.restore(inlineStyles(marked));
  if (text !== null) return { subject, html: inlined, text, isTextGenerated: false };
  const plain = markLiquid(html);
  const lines = plain.restore(textOf(plain.text)).replace(lineOfTags, '$1');
  return { subject, html: inlined, text: lines, isTextGenerated: true };
}

const linkBrackets: [string, string] = ['<', '>'];

/**
 * The address of a link. html-to-text removes `mailto:`, and an address with a subject is not an address without it
 * (RFC 6068 §2).
 */
const withScheme = (path: string): string =>
  /^[^\s:/?#@]+@[^\s:/?#@]+\?/.test(path.slice(0, 1_000)) ? `mailto:${path}` : path;

/** A cell of a table: its text, and a blank before the next one. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' ');
};

/** An image as its text: mail programs show it where they do not load images. */
const image: FormatCallback = (element, _walk, builder) => {
  const attribs: unknown = element.attribs;
  const alt = isRecord(attribs) ? attribs['alt'] : undefined;
  if (typeof alt === 'string' && alt.trim() !== '') builder.addInline(alt);
};

/** Elements that no mail program shows, such as a preheader. */
const hiddenElements = [
  '[hidden]',
  ...['display:none', 'visibility:hidden', 'mso-hide:all', 'max-height:0'].flatMap((declaration) => [
    `[style*="${declaration}" i]`,
    `[style*="${declaration.replace(':', ': ')}" i]`,
  ]),
];

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 1_048_576, maxDepth: 200, ellipsis: '' },
  baseElements: { selectors: ['body'], returnDomByDefault: true },
  formatters: { cell, image },
  selectors: [
    // As lines: tables of data and tables of layout look alike, and tags such as {% for %} occur between their rows.
    { selector: 'table', format: 'block' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    {
      selector: 'a',
      options: { hideLinkHrefIfSameAsText: true, linkBrackets, noAnchorUrl: true, pathRewrite: withScheme },
    },
    { selector: 'ul', options: { itemPrefix: ' - ' } },
    { selector: 'img', format: 'image' },
    { selector: 'title', format: 'skip' },
    ...hiddenElements.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'style', format: 'skip' },
    { selector: 'script', format: 'skip' },
  ],
};

/** The text part of an HTML mail, for programs and people that read text. */
const textOf = (html: string): string => convert(html, options).trim();
