import { parse, parseFragment, type DefaultTreeAdapterTypes } from 'parse5';

/*
 * CSS can load different things for different contents of a mail: one image for each start of a link (`a[href^="…"]`),
 * or one font for each character of a code (`unicode-range`). The server that answers them learns the link or the code
 * when the mail is opened.
 */

/** Selectors by the address of a link, fonts, and style sheets whose content is not known. */
const telling = /\[[^[\]]*href|@font-face|@import/i;

/** CSS as browsers read it: `@\66 ont-face` is `@font-face` (CSS Syntax Module Level 3, section 4.3.7). */
const unescaped = (css: string): string =>
  css
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, digits: string) => {
      const point = Number.parseInt(digits, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : '';
    })
    .replaceAll('\\', '');

function withoutComments(css: string): string {
  let rest = '';
  for (let from = 0; ;) {
    const start = css.indexOf('/*', from);
    if (start < 0) return rest + css.slice(from);
    rest += css.slice(from, start);
    const end = css.indexOf('*/', start + 2);
    if (end < 0) return rest;
    from = end + 2;
  }
}

/**
 * Comments may split a token, and text that looks like a comment may be part of a string, so both readings are checked.
 */
const isTelling = (css: string): boolean => [css, withoutComments(css)].some((each) => telling.test(unescaped(each)));

type Node = DefaultTreeAdapterTypes.Node;

// Mail programs run no scripts, so they apply the content of <noscript>.
const options = { scriptingEnabled: false };

/**
 * Whether the styles of an HTML document can tell a server what it shows: its style elements, including those in
 * pictures and in parts that only Outlook reads (`<!--[if mso]>`), and the style sheets that it links.
 */
export function hasTellingStyles(html: string): boolean {
  if (!/<(?:style|link)\b/i.test(html)) return false;
  const nodes = nodesOf(parse(html, options));
  const inComments = nodes.flatMap((node) => ('data' in node ? nodesOf(parseFragment(node.data, options)) : []));
  return [...nodes, ...inComments].some(isTellingElement);
}

/** A node and all in it. With an explicit stack, because documents can be nested deeply. */
function nodesOf(root: Node): Node[] {
  const found: Node[] = [];
  const steps = [root];
  for (let node = steps.pop(); node !== undefined; node = steps.pop()) {
    found.push(node);
    if ('childNodes' in node) for (const child of node.childNodes) steps.push(child);
  }
  return found;
}

function isTellingElement(node: Node): boolean {
  if (!('tagName' in node)) return false;
  const { tagName, attrs, childNodes } = node;
  if (tagName === 'link') return attrs.some(({ name, value }) => name === 'rel' && /\bstylesheet\b/i.test(value));
  return tagName === 'style' && isTelling(childNodes.map((child) => ('value' in child ? child.value : '')).join(''));
}
