import { load } from 'cheerio';
import { depthChange, isSilent, mayWriteElements, type Marked } from './liquid-marks.js';
import { declarationsOf } from './style-sheet.js';

/*
 * The HTML of a template as a page on which selectors can be matched, although Liquid determines some of it: classes,
 * ids, attributes, and which elements are next to each other. Attributes mark the affected elements until `restored`.
 */

export type Page = ReturnType<typeof load>;
export type PageElement = ReturnType<typeof styleElements>[number];

export const styleElements = ($: Page) => $('style').toArray();

export interface TemplatePage {
  readonly $: Page;
  readonly marked: Marked;
  /** The attributes that mark elements. */
  readonly flags: {
    /** The element may have the classes in its value, besides the ones that it always has. */
    readonly class: string;
    /** It may have another id. */
    readonly id: string;
    /** It may have other attributes. */
    readonly other: string;
    /** Liquid determines which elements are next to it. */
    readonly sibling: string;
  };
  /** Elements to which no style can be added, because their `style` attribute is conditional. */
  readonly frozen: ReadonlySet<PageElement>;
  /** The HTML as it was written, with the styles that were added to elements. */
  restored(): string;
}

/** The elements among nodes. */
export const elementsOf = (found: ReturnType<Page>): PageElement[] =>
  found.toArray().flatMap((node) => ('attribs' in node ? node : []));

export const hasTag = (marked: Marked, text: string): boolean => text.includes(marked.prefix);

const tagsIn = (marked: Marked, text: string): string[] =>
  hasTag(marked, text) ? marked.piecesOf(text).flatMap(({ tag }) => tag ?? []) : [];

/** A text without its Liquid. */
export const withoutTags = (marked: Marked, text: string): string =>
  marked
    .piecesOf(text)
    .map((piece) => (piece.tag === null ? piece.text : ''))
    .join('');

/** By how much a text changes the depth of conditions and loops. */
export const depthOf = (marked: Marked, text: string): number =>
  tagsIn(marked, text).reduce((sum, tag) => sum + depthChange(tag), 0);

/** @param marked the HTML with a word in place of each Liquid tag */
export function readPage(marked: Marked): TemplatePage {
  const $ = load(marked.text, { xml: { decodeEntities: false, xmlMode: false } });
  const { prefix } = marked;
  const flags = { class: `${prefix}class`, id: `${prefix}id`, other: `${prefix}other`, sibling: `${prefix}sibling` };
  const wanted = classesIn($('style').text());
  const styles: string[] = [];
  const replaced: { element: PageElement; name: string; value: string }[] = [];
  const frozen = new Set<PageElement>();
  const elements = elementsOf($('*'));
  for (const element of elements) {
    const { attribs } = element;
    const possible: RegExp[] = [];
    let depth = 0;
    for (const [written, value] of Object.entries(attribs)) {
      const tags = tagsIn(marked, written);
      const name = withoutTags(marked, written);
      depth += depthOf(marked, written);
      const isChosen = depth > 0 || tags.length > 0;
      const isUnknown = tags.some((tag) => !isSilent(tag));
      if (isUnknown || (isChosen && name === 'style')) frozen.add(element);
      if (isUnknown) possible.push(/^/);
      if (written === 'style' && !isPlainStyle(marked, value))
        attribs['style'] = `${prefix}s${styles.push(value) - 1}z: 1`;
      if (!isChosen && !hasTag(marked, value)) continue;
      if (name === 'class') for (const each of possibleClasses(marked, value)) possible.push(each);
      else attribs[name === 'id' ? flags.id : flags.other] = '';
      if (written !== 'class' && written !== 'id') continue;
      replaced.push({ element, name: written, value });
      attribs[written] = isChosen ? '' : written === 'id' ? value : certainClasses(marked, value);
    }
    const classes = wanted.filter(
      (each) => each.length > longestClass || possible.some((pattern) => pattern.test(each)),
    );
    if (possible.length > 0) attribs[flags.class] = classes.join(' ');
  }
  for (const { children } of [...$.root().toArray(), ...elements])
    if (children.some((child) => 'data' in child && choosesElements(marked, child.data)))
      for (const child of children) if ('attribs' in child) child.attribs[flags.sibling] = '';
  return {
    $,
    marked,
    flags,
    frozen,
    restored() {
      for (const { element, name, value } of replaced) element.attribs[name] = value;
      for (const { attribs } of elements)
        for (const flag of Object.values(flags)) Reflect.deleteProperty(attribs, flag);
      return $.html().replace(new RegExp(`${prefix}s(\\d+)z: 1(;?)`, 'g'), (_, n, end) => {
        const style = (styles[Number(n)] ?? '').trim();
        return style.endsWith(';') ? style : `${style}${String(end)}`;
      });
    },
  };
}

/** The classes that style sheets may name. */
const classesIn = (css: string): string[] => [
  ...new Set(
    [...css.matchAll(/\.((?:[^\s.,:;#>+~*"'=[\](){}\\]|\\.)+)/g)].map(([, name = '']) =>
      name.replaceAll(/\\(.)/g, '$1'),
    ),
  ),
];

const choosesElements = (marked: Marked, text: string): boolean =>
  tagsIn(marked, text).some((tag) => depthChange(tag) !== 0 || mayWriteElements(tag));

/**
 * Whether a style attribute contains only declarations, with Liquid only in their values. Entities end with the same
 * character as a declaration.
 */
const isPlainStyle = (marked: Marked, style: string): boolean =>
  !hasTag(marked, style) ||
  declarationsOf(style.replaceAll(/&#?\w+;/g, 'x')).every(
    ({ name, value }) => name !== '' && !hasTag(marked, name) && tagsIn(marked, value).every((tag) => !isSilent(tag)),
  );

/** The placeholders for Liquid in classes: for the output of a tag, and around a conditional word. */
const [unknown, open, close] = ['\0', '\x01', '\x02'];
/** A class with more pieces may be any class: the time of an expression grows with each `.*` in it. */
const mostParts = 7;
/** A longer class may be meant by any expression. */
const longestClass = 100;

/** The classes that an element always has, regardless of Liquid. */
function certainClasses(marked: Marked, classes: string): string {
  let depth = 0;
  let text = '';
  for (const piece of marked.piecesOf(classes)) {
    if (piece.tag === null) text += depth > 0 ? piece.text.replaceAll(/\S/g, unknown) : piece.text;
    else {
      depth += depthChange(piece.tag);
      if (!isSilent(piece.tag)) text += unknown;
    }
  }
  return text
    .split(/\s+/)
    .filter((name) => !name.includes(unknown))
    .join(' ');
}

/** The classes that Liquid may choose: a tag may write anything, and conditional text may be missing. */
function possibleClasses(marked: Marked, classes: string): RegExp[] {
  let depth = 0;
  let text = '';
  for (const piece of marked.piecesOf(classes)) {
    if (piece.tag === null) text += depth > 0 ? piece.text.replaceAll(/\S+/g, `${open}$&${close}`) : piece.text;
    else {
      depth += depthChange(piece.tag);
      if (!isSilent(piece.tag)) text += unknown;
    }
  }
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const parts = word.split(/(\0+|\x01[^\x02]*\x02)/);
      if (parts.length > mostParts) return /^/;
      const patterns = parts.map((part) => {
        if (part.startsWith(unknown)) return '.*';
        return part.startsWith(open) ? `(?:${escapeRegExp(part.slice(1, -1))})?` : escapeRegExp(part);
      });
      return new RegExp(`^${patterns.join('')}$`);
    });
}

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
