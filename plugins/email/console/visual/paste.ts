import { Fragment, type Slice } from 'prosemirror-model';
import { blocksOf, sliceOf } from './blocks.js';
import { attributeOf, encoded, tokensOf, type Token } from './tokens.js';

/*
 * What is pasted, as simple HTML. The page's policy (Trusted Types) keeps the browser's parser from reading it. The
 * editor's own tokenizer reads it.
 */

/** Marks HTML that this editor has copied: it is taken as it is. */
const ownMark = '<!--svc-->';

export const copied = (html: string): string => `${ownMark}${html}`;

const kept: Readonly<Record<string, string>> = {
  p: 'p',
  h1: 'h1',
  h2: 'h2',
  h3: 'h3',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  blockquote: 'blockquote',
  strong: 'strong',
  b: 'strong',
  em: 'em',
  i: 'em',
  u: 'u',
  s: 's',
  del: 's',
  strike: 's',
  code: 'code',
  sub: 'sub',
  sup: 'sup',
  table: 'table',
  tbody: 'tbody',
  tr: 'tr',
  td: 'td',
  th: 'th',
};

const isWebAddress = (address: string): boolean => /^(?:https?:|mailto:|tel:)/i.test(address);

/** The tags that a span's style stands for, as Google Docs and Word write them. */
function marksOf(style: string, isInLink: boolean): string[] {
  return [
    ...(/font-weight:\s*(?:bold|[6-9]00)/.test(style) ? ['strong'] : []),
    ...(/font-style:\s*italic/.test(style) ? ['em'] : []),
    ...(!isInLink && /text-decoration(?:-line)?:[^;]*underline/.test(style) ? ['u'] : []),
    ...(/text-decoration(?:-line)?:[^;]*line-through/.test(style) ? ['s'] : []),
  ];
}

interface Tags {
  readonly open: string;
  readonly close: string;
}

const around = (names: readonly string[]): Tags => ({
  open: names.map((name) => `<${name}>`).join(''),
  close: names
    .toReversed()
    .map((name) => `</${name}>`)
    .join(''),
});

function tagsFor(tag: string, { name, isInline }: Token, above: readonly string[]): Tags {
  const style = attributeOf(tag, name, 'style').toLowerCase();
  const level = Number(/mso-list:[^;]*level(\d)/.exec(style)?.[1] ?? 0);
  const kind = attributeOf(tag, name, 'class');
  if (name === 'p' && level > 0) return { open: '<w:li>', close: '</w:li>' };
  if (name === 'p' && kind.includes('MsoTitle')) return around(['h1']);
  // Google Docs and lists of Word wrap everything in an element that means nothing.
  if ((name === 'b' || name === 'strong') && /font-weight:\s*(?:normal|400)/.test(style)) return around([]);
  if ((name === 'p' || name === 'div') && above.includes('li')) return around([]);
  if (name === 'div') return around(isInline ? ['p'] : []);
  if (name === 'span' || name === 'font') return around(marksOf(style, above.includes('a')));
  if (name === 'a') {
    const href = attributeOf(tag, 'a', 'href');
    return isWebAddress(href)
      ? { open: `<a href="${encoded(href).replaceAll('"', '&quot;')}">`, close: '</a>' }
      : around([]);
  }
  const same = kept[name];
  return around(same === undefined ? [] : [same]);
}

/** Paragraphs of Word that look like items as lists. */
const withLists = (html: string): string =>
  html.replace(/(?:<w:li>(?:(?!<w:li>)[^])*?<\/w:li>\s*)+/g, (run) => {
    const tag = /^<w:li>\s*(?:<[^>]+>\s*)*(?:\d+|[a-z])[.)]/i.test(run) ? 'ol' : 'ul';
    const items = run.replace(
      /<w:li>(\s*(?:<[^>]+>\s*)*)(?:[·•o§▪–-]|(?:\d+|[a-z])[.)])(?:&nbsp;|\s)+/gi,
      (_, before: string) => `<w:li>${before}`,
    );
    return `<${tag}>${items.replaceAll('w:li>', 'li>')}</${tag}>`;
  });

/**
 * HTML of Word, Google Docs, web pages and mail programs without their styles: headings, paragraphs, lists, links,
 * pictures with a web address, tables, bold and italic remain.
 */
export function cleaned(html: string): string {
  const [, fragment = html] = /<!--StartFragment-->([^]*?)<!--EndFragment-->/.exec(html) ?? [];
  const tokens = tokensOf(fragment);
  const closes = new Map<number, string>();
  const above: string[] = [];
  let result = '';
  tokens.forEach((token, index) => {
    const { kind, name, from, to, match, isLoose } = token;
    const text = fragment.slice(from, to);
    if (kind === 'text' || kind === 'output' || (kind === 'liquid' && !isLoose)) result += text.replace(/\s+/g, ' ');
    else if (name === 'br') result += '<br>';
    else if (name === 'hr') result += '<hr>';
    else if (name === 'img' && /^https?:/i.test(attributeOf(text, 'img', 'src'))) {
      const value = (attribute: string): string =>
        encoded(attributeOf(text, 'img', attribute)).replaceAll('"', '&quot;');
      result += `<img src="${value('src')}" alt="${value('alt')}" style="max-width:100%">`;
    } else if (kind === 'open' && match > index && !isLoose) {
      const tags = tagsFor(text, token, above);
      closes.set(match, tags.close);
      above.push(name);
      result += tags.open;
    } else if (kind === 'close' && closes.has(index)) {
      above.pop();
      result += closes.get(index) ?? '';
    }
  });
  return withLists(result).replace(/<(p|h[1-3])>(?:\s|&nbsp;|<br>)*<\/\1>/g, '');
}

/** Pasted content as blocks. */
export function pastedSlice(html: string, text: string): Slice {
  const own = html.indexOf(ownMark);
  const source =
    own >= 0
      ? html.slice(own + ownMark.length).replace(/<!--EndFragment-->[^]*$/, '')
      : html === ''
        ? text
            .split(/\r?\n(?:[ \t]*\r?\n)+/)
            .map((part) => `<p>${textHtml(part)}</p>`)
            .join('')
        : cleaned(html);
  const content = source.trim() === '' ? Fragment.empty : blocksOf(source);
  return sliceOf(content);
}

/** A text in which `{{ name }}` is a variable. */
export const textHtml = (text: string): string =>
  text
    .split(/(\{\{[^{}]*\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encoded(part).replace(/\r?\n/g, '<br>')))
    .join('');
