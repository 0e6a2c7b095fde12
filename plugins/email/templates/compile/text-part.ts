import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

const linkBrackets: [string, string] = ['<', '>'];

/** A cell of a table: its text, and a blank before the next one. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' ');
};

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 1_048_576, maxDepth: 200, ellipsis: '' },
  baseElements: { selectors: ['body'], returnDomByDefault: true },
  formatters: { cell },
  selectors: [
    // As lines: tables of data and tables of layout look alike, and tags such as {% for %} occur between their rows.
    { selector: 'table', format: 'block' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    {
      selector: 'a',
      options: { hideLinkHrefIfSameAsText: true, linkBrackets, noAnchorUrl: true },
    },
    { selector: 'ul', options: { itemPrefix: ' - ' } },
    { selector: 'img', format: 'skip' },
    { selector: 'style', format: 'skip' },
    { selector: 'script', format: 'skip' },
  ],
};

/** The text part of an HTML mail, for programs and people that read text. */
export const textOf = (html: string): string => convert(html, options).trim();
