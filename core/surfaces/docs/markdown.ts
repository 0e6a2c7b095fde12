import { Marked, type Token, type Tokens } from 'marked';
import { markupText, html, type Markup } from '../pages/html.js';
import { escapeHtml } from '../pages/theme.js';
import { code, codeTabs, type CodeForm } from '../reference/forms.js';
import type { Diagram } from './diagrams.js';

/** A part of a document: a heading of the second or third level with the text below it. */
export interface Section {
  /** Empty for what precedes the first of these headings. */
  readonly anchor: string;
  readonly title: string;
  /** Level of the heading. */
  readonly depth: number;
  /** Its text without markup. */
  readonly text: string;
}

export interface RenderedDocument {
  readonly html: string;
  readonly sections: readonly Section[];
}

export interface LinkTarget {
  readonly address: string;
  /** Replaces a text that is only the name of the file. */
  readonly title?: string;
}

export interface RenderOptions {
  /** Where a link leads; undefined if the site has no such page. @param target as in the document */
  linkOf(target: string): LinkTarget | undefined;
  /** The address of what a text in backquotes names, such as an operation. */
  nameLink(name: string): string | undefined;
  /** The picture of a diagram; undefined without one. @param source its text */
  diagramOf(source: string): Diagram | undefined;
}

/** A heading's anchor, as code hosts make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

/** Elements that end a line of text. */
const lines = /<\/?(?:p|h\d|ul|ol|li|pre|div|blockquote|table|tr|th|td|label|legend|br|hr)\b[^>]*>/g;

/** The text of HTML that this module has written. */
const textIn = (markup: string): string =>
  markup
    .replaceAll(lines, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();

const isCode = (token: Token): token is Tokens.Code => token.type === 'code';
const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

/** What a block of shell lines is for. */
const shellForm = (text: string): Pick<CodeForm, 'key' | 'title'> =>
  /^\s*(?:npx )?svc /m.test(text) ? { key: 'cli', title: 'CLI' } : { key: 'curl', title: 'curl' };

const formTitles: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
  json: 'JSON',
};

const formOf = ({ text, lang = '' }: Tokens.Code): CodeForm => ({
  ...(lang === 'sh' ? shellForm(text) : { key: lang, title: formTitles[lang] ?? lang }),
  language: lang,
  text,
});

/** The comment before blocks of code that are forms of the same, each in another language. */
const isTabsMark = (token: Token): boolean => token.type === 'html' && token.raw.trim() === '<!-- tabs -->';

/** Top-level tokens; the blocks of code after a mark are in one list. */
function blocksOf(tokens: readonly Token[]): (Token | Tokens.Code[])[] {
  const blocks: (Token | Tokens.Code[])[] = [];
  for (const token of tokens) {
    const last = blocks.at(-1);
    if (isTabsMark(token)) blocks.push([]);
    else if (Array.isArray(last) && isCode(token)) last.push(token);
    else if (!Array.isArray(last) || token.type !== 'space') blocks.push(token);
  }
  return blocks;
}

/** Renders a document of the repository. Its Markdown is trusted; HTML in it is shown as text. */
export function renderMarkdown(text: string, { linkOf, nameLink, diagramOf }: RenderOptions): RenderedDocument {
  const anchors = new Map<string, number>();
  const uniqueAnchor = (heading: string): string => {
    const anchor = anchorOf(heading);
    const before = anchors.get(anchor) ?? 0;
    anchors.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
  // Anchors cannot be nested, and a heading is already a link.
  let linksNames = true;
  const withoutNames = (render: () => string): string => {
    const before = linksNames;
    linksNames = false;
    const rendered = render();
    linksNames = before;
    return rendered;
  };
  let blocks = 0;
  /** The heading that the present block is below. */
  let part = '';
  const diagramText = (source: string): Markup => code('Diagram as text', source, 'mermaid');
  const diagram = (source: string): string => {
    const picture = diagramOf(source);
    if (!picture)
      return markupText(
        html`<figure class="code">
          ${diagramText(source)}
          <figcaption>A diagram in the notation of Mermaid</figcaption>
        </figure>`,
      );
    const { address, width, height } = picture;
    return markupText(
      html`<figure class="diagram">
        <div tabindex="0" role="group" aria-label="Diagram: ${part}">
          <img src="${address}" width="${width}" height="${height}" alt="Diagram: ${part}" loading="lazy" />
        </div>
        <details>
          <summary>The diagram as text</summary>
          <div class="code">${diagramText(source)}</div>
        </details>
      </figure>`,
    );
  };
  const codeBlock = ({ text: source, lang = '' }: Tokens.Code): string =>
    lang === 'mermaid' ? diagram(source) : markupText(html`<div class="code">${code('Code', source, lang)}</div>`);
  const tabs = (group: readonly Tokens.Code[]): string => {
    blocks += 1;
    return markupText(html`<div>${codeTabs(`code-${blocks}`, 'The same in', group.map(formOf))}</div>`);
  };
  const marked = new Marked({
    renderer: {
      code: codeBlock,
      codespan({ text: source }) {
        const link = linksNames ? nameLink(source) : undefined;
        const shown = `<code>${escapeHtml(source)}</code>`;
        return link === undefined ? shown : `<a href="${escapeHtml(link)}">${shown}</a>`;
      },
      heading({ tokens, depth }) {
        const inner = withoutNames(() => this.parser.parseInline(tokens));
        const title = textIn(inner);
        part = title;
        if (depth === 1) return `<h1>${inner}</h1>`;
        const anchor = uniqueAnchor(title);
        const link = `<a class="anchor" href="#${anchor}" aria-label="Link to “${escapeHtml(title)}”">#</a>`;
        return `<h${depth} id="${anchor}">${inner} ${link}</h${depth}>`;
      },
      html: ({ text: source }) => (source.trimStart().startsWith('<!--') ? '' : escapeHtml(source)),
      link({ href, text: words, tokens }) {
        const inner = withoutNames(() => this.parser.parseInline(tokens));
        if (/^[a-z]+:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${inner}</a>`;
        const target = linkOf(href);
        if (target === undefined) return inner;
        const shown = /^[\w/-]+\.md$/.test(words) && target.title !== undefined ? escapeHtml(target.title) : inner;
        return `<a href="${escapeHtml(target.address)}">${shown}</a>`;
      },
    },
  });
  const sections: { anchor: string; title: string; depth: number; texts: string[] }[] = [
    { anchor: '', title: '', depth: 1, texts: [] },
  ];
  const rendered = blocksOf(marked.lexer(text)).map((block) => {
    const markup = Array.isArray(block) ? tabs(block) : marked.parser([block]);
    if (!Array.isArray(block) && isHeading(block)) {
      const [, anchor] = /^<h[23] id="([^"]*)"/.exec(markup) ?? [];
      const title = textIn(markup).replace(/ #$/, '');
      if (anchor !== undefined) sections.push({ anchor, title, depth: block.depth, texts: [] });
    } else sections.at(-1)?.texts.push(textIn(markup));
    return markup;
  });
  return {
    html: rendered
      .join('')
      .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
      .replaceAll('</table>', '</table></div>'),
    sections: sections.map(({ texts, ...section }) => ({ ...section, text: texts.join(' ') })),
  };
}
