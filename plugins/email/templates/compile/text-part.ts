import { convert, type HtmlToTextOptions } from 'html-to-text';

const linkBrackets: [string, string] = ['<', '>'];

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 1_048_576, maxDepth: 200, ellipsis: '' },
  baseElements: { selectors: ['body'], returnDomByDefault: true },
  selectors: [
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
