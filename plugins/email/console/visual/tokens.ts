/*
 * The HTML of an email with Liquid as tokens. They divide the source: put together they are the source again. What is
 * not well nested is marked, so that the editor does not change it.
 */

export interface Token {
  /** `unit`: something whose content is not HTML, such as a style element or `{% raw %}…{% endraw %}`. */
  readonly kind: 'text' | 'open' | 'close' | 'void' | 'comment' | 'output' | 'liquid' | 'unit';
  /** Of the element or Liquid tag, in small letters. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The index of the other end; -1 for what has none. */
  match: number;
  /** Its other end is missing or elsewhere. */
  isLoose: boolean;
  /** Of what has another end: there are only texts, inline elements and Liquid in between. */
  isInline: boolean;
}

/** Elements of running text. */
export const inlineElements: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var br img wbr'.split(
    ' ',
  ),
);
const voidElements = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const rawElements = new Set(['style', 'script', 'title', 'textarea', 'xmp', 'noembed', 'noframes', 'iframe']);
const liquidBlocks = new Set(['if', 'unless', 'for', 'case', 'capture', 'tablerow', 'ifchanged']);
const liquidUnits = new Set(['raw', 'comment']);
const branches: Readonly<Record<string, readonly string[]>> = {
  else: ['if', 'unless', 'for', 'case'],
  elsif: ['if', 'unless'],
  when: ['case'],
};

/** Where a tag ends, after its `>`; -1 if it does not. Quoted values and Liquid may contain a `>`. */
function endOfTag(source: string, start: number): number {
  let quote = '';
  for (let at = start; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === '{' && /[{%]/.test(source.charAt(at + 1))) {
      const end = source.indexOf(source[at + 1] === '{' ? '}}' : '%}', at + 2);
      if (end < 0) return -1;
      at = end + 1;
    } else if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at + 1;
  }
  return -1;
}

const afterText = (source: string, text: string, start: number): number => {
  const found = source.indexOf(text, start);
  return found < 0 ? -1 : found + text.length;
};

const afterPattern = (source: string, pattern: RegExp, start: number): number => {
  pattern.lastIndex = start;
  return pattern.exec(source) ? pattern.lastIndex : -1;
};

interface Found {
  readonly kind: Token['kind'];
  readonly name: string;
  /** -1: it does not end. */
  readonly to: number;
}

function liquidAt(source: string, at: number): Found {
  const to = afterText(source, '%}', at + 2);
  const name = /^\{%-?\s*(\w*)/.exec(source.slice(at, at + 60))?.[1] ?? '';
  if (to < 0 || !liquidUnits.has(name)) return { kind: 'liquid', name, to };
  return { kind: 'unit', name, to: afterPattern(source, new RegExp(`\\{%-?\\s*end${name}\\s*-?%\\}`, 'g'), to) };
}

function markupAt(source: string, at: number): Found {
  if (source.startsWith('<!--', at)) return { kind: 'comment', name: '', to: afterText(source, '-->', at + 4) };
  if (/[!?]/.test(source.charAt(at + 1))) return { kind: 'comment', name: '', to: afterText(source, '>', at) };
  const [start = '', slash = '', named = ''] = /^<(\/?)([a-zA-Z][^\s/>{]*)/.exec(source.slice(at, at + 80)) ?? [];
  const name = named.toLowerCase();
  const to = endOfTag(source, at + Math.max(1, start.length));
  if (slash !== '') return { kind: 'close', name, to };
  if (voidElements.has(name)) return { kind: 'void', name, to };
  if (to < 0 || !rawElements.has(name)) return { kind: 'open', name, to };
  const end = afterPattern(source, new RegExp(`</${name}(?=[\\s/>])`, 'gi'), to);
  return { kind: 'unit', name, to: end < 0 ? -1 : afterText(source, '>', end) };
}

/** Whether the Liquid within one token begins and ends in it. */
function isBalanced(text: string): boolean {
  if (!text.includes('{%')) return true;
  let open = 0;
  for (const [, end, name = ''] of text.matchAll(/\{%-?\s*(end)?(\w*)/g))
    if (liquidBlocks.has(name)) open += end === undefined ? 1 : -1;
  return open === 0;
}

function divide(source: string): Token[] {
  const tokens: Token[] = [];
  const add = (kind: Token['kind'], name: string, from: number, to: number, isLoose = false): void => {
    if (to > from) tokens.push({ kind, name, from, to, match: -1, isLoose, isInline: true });
  };
  const starts = /<(?=[a-zA-Z!?]|\/[a-zA-Z])|\{(?=[{%])/g;
  let done = 0;
  for (let found = starts.exec(source); found; found = starts.exec(source)) {
    const at = found.index;
    const { kind, name, to }: Found =
      found[0] === '<'
        ? markupAt(source, at)
        : source[at + 1] === '{'
          ? { kind: 'output', name: '', to: afterText(source, '}}', at + 2) }
          : liquidAt(source, at);
    add('text', '', done, at);
    if (to < 0) {
      // What does not end takes the rest of the source.
      add('unit', name, at, source.length, true);
      return tokens;
    }
    const isWhole = kind === 'liquid' || (kind === 'unit' && liquidUnits.has(name));
    add(kind, name, at, to, !isWhole && !isBalanced(source.slice(at, to)));
    done = to;
    starts.lastIndex = to;
  }
  add('text', '', done, source.length);
  return tokens;
}

/** @returns the tokens of a source, each with its other end */
export function tokensOf(source: string): Token[] {
  const tokens = divide(source);
  const open: { token: Token; key: string; index: number }[] = [];
  const count = new Map<string, number>();
  const notInline = (): void => {
    const top = open.at(-1);
    if (top) top.token.isInline = false;
  };
  const pop = (): { token: Token; key: string; index: number } | undefined => {
    const last = open.pop();
    if (last) count.set(last.key, (count.get(last.key) ?? 1) - 1);
    return last;
  };
  tokens.forEach((token, index) => {
    const { kind, name } = token;
    const isElement = kind === 'open' || kind === 'close' || kind === 'void';
    const ends = kind === 'close' ? name : kind === 'liquid' && name.startsWith('end') ? name.slice(3) : undefined;
    const key = `${isElement ? '<' : '%'}${ends ?? name}`;
    if (ends !== undefined) {
      if ((count.get(key) ?? 0) === 0) token.isLoose = true;
      else
        for (let last = pop(); last; last = pop()) {
          if (last.key !== key) {
            last.token.isLoose = true;
            notInline();
            continue;
          }
          last.token.match = index;
          token.match = last.index;
          token.isInline = last.token.isInline;
          if (last.token.isLoose) token.isLoose = true;
          if (!last.token.isInline || (isElement && !inlineElements.has(name))) notInline();
          break;
        }
    } else if (kind === 'open' || (kind === 'liquid' && liquidBlocks.has(name))) {
      open.push({ token, key, index });
      count.set(key, (count.get(key) ?? 0) + 1);
    } else if (kind === 'liquid' && name in branches) {
      const top = open.at(-1);
      if (!top?.key.startsWith('%') || !branches[name]?.includes(top.token.name)) token.isLoose = true;
    } else if (kind === 'void' ? !inlineElements.has(name) : kind === 'unit' && !liquidUnits.has(name)) notInline();
    if (token.isLoose) notInline();
  });
  for (const { token } of open) token.isLoose = true;
  return tokens;
}

const attributePattern = (name: string): RegExp =>
  new RegExp(`(\\s)(${name})(?:\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+)))?(?=[\\s/>])`, 'i');

/** The first tag of an element within a piece of HTML. */
const tagOf = (html: string, element: string): { from: number; to: number } | undefined => {
  const found = tokensOf(html).find(({ kind, name }) => (kind === 'open' || kind === 'void') && name === element);
  return found && { from: found.from, to: found.to };
};

/** The value of an attribute of the first such element, decoded; '' without it. */
export function attributeOf(html: string, element: string, name: string): string {
  const tag = tagOf(html, element);
  const [, , , quoted, single, bare] = (tag && attributePattern(name).exec(html.slice(tag.from, tag.to))) ?? [];
  return decoded(quoted ?? single ?? bare ?? '');
}

/** Whether the first such element has an attribute. */
export function hasAttribute(html: string, element: string, name: string): boolean {
  const tag = tagOf(html, element);
  return tag !== undefined && attributePattern(name).test(html.slice(tag.from, tag.to));
}

/** The HTML with an attribute of the first such element. @param value undefined removes it */
export function withAttribute(html: string, element: string, name: string, value: string | undefined): string {
  const tag = tagOf(html, element);
  if (!tag) return html;
  const text = html.slice(tag.from, tag.to);
  const written = value === undefined ? '' : ` ${name}="${encodedValue(value)}"`;
  const pattern = attributePattern(name);
  const end = text.endsWith('/>') ? text.length - 2 : text.length - 1;
  const changed = pattern.test(text)
    ? text.replace(pattern, () => written)
    : `${text.slice(0, end).trimEnd()}${written}>`;
  return html.slice(0, tag.from) + changed + html.slice(tag.to);
}

/** Texts for attributes. Liquid stays, quotes within it become single ones. */
const encodedValue = (value: string): string =>
  value
    .split(/(\{\{[^]*?\}\}|\{%[^]*?%\})/)
    .map((part, index) =>
      index % 2 === 1
        ? part.replaceAll('"', "'")
        : part.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
    )
    .join('');

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  pound: '£',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  rarr: '→',
  larr: '←',
  times: '×',
  deg: '°',
  shy: '\u00ad',
  zwnj: '\u200c',
  zwj: '\u200d',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ntilde: 'ñ',
};

/** A character reference as its character; undefined for one that is not known. */
export function characterOf(reference: string): string | undefined {
  const [, hex, decimal, name] = /^&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-zA-Z]+));$/.exec(reference) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (name !== undefined) return Object.hasOwn(named, name) ? named[name] : undefined;
  const isText = code >= 32 && code <= 0x10ffff && !(code >= 127 && code < 160) && !(code >= 0xd800 && code < 0xe000);
  return isText ? String.fromCodePoint(code) : undefined;
}

const reference = /&(?:#[xX][0-9a-fA-F]{1,6}|#\d{1,7}|[a-zA-Z]{1,31});/g;

/** The parts of a text: odd ones are character references. */
export const partsOf = (text: string): string[] => text.split(new RegExp(`(${reference.source})`));

const decoded = (text: string): string => text.replace(reference, (found) => characterOf(found) ?? found);

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\u00a0': '&nbsp;',
  '\u00ad': '&shy;',
  '\u200c': '&zwnj;',
  '\u200d': '&zwj;',
};

/** A text as HTML: nothing of it is an element or Liquid. */
export const encoded = (text: string): string =>
  text
    .replace(/[&<>\u00a0\u00ad\u200c\u200d]/g, (character) => references[character] ?? character)
    .replace(/\{(?=[{%])/g, '&#123;')
    .replace(/ {2}/g, ' &nbsp;');
