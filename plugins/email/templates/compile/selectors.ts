import { parse, SelectorType, stringify, type Selector } from 'css-what';
import { elementsOf, type PageElement, type TemplatePage } from './template-page.js';

/** A selector and the elements that it matches. */
export interface Match {
  readonly selector: string;
  /** Regardless of the output of Liquid. */
  readonly certain: readonly PageElement[];
  /** Only for some output of Liquid. */
  readonly uncertain: readonly PageElement[];
}

/**
 * The elements that selectors match on a page.
 * @param text a list of selectors
 * @returns one match for each selector; null for one that cannot be inlined; none if the list cannot be read
 */
export function matchesOf(page: TemplatePage, text: string): (Match | null)[] {
  const selectors = readSelectors(text);
  return selectors.map((tokens) => matchOf(page, tokens));
}

function readSelectors(text: string): Selector[][] {
  try {
    return parse(text);
  } catch {
    return [];
  }
}

/** Pseudo-classes that depend on the siblings of an element. */
const structural = /^(?:first|last|only)-(?:child|of-type)$|^nth-(?:last-)?(?:child|of-type)$/;

/**
 * Whether a selector depends only on the elements and attributes of the mail: not on states, and not on anything that
 * is not an element.
 */
const isInlinable = (tokens: readonly Selector[]): boolean =>
  tokens.every((token) => {
    if (token.type === SelectorType.PseudoElement) return false;
    if (token.type === SelectorType.Parent || token.type === SelectorType.ColumnCombinator) return false;
    if (token.type !== SelectorType.Pseudo) return !('namespace' in token) || token.namespace === null;
    if (token.name !== 'not') return token.name === 'root' || structural.test(token.name);
    return (
      Array.isArray(token.data) &&
      token.data.every((inner) => inner.length === 1 && inner[0]?.type !== SelectorType.Pseudo && isInlinable(inner))
    );
  });

/** Elements that show nothing. */
const unshown = new Set(['head', 'title', 'base', 'link', 'style', 'meta', 'script', 'noscript']);

function matchOf(page: TemplatePage, tokens: readonly Selector[]): Match | null {
  const selector = stringify([[...tokens]]);
  // The inliner would mistake the comma in an attribute's value for the end of the selector.
  if (!isInlinable(tokens) || selector.includes(',')) return null;
  const found = (text: string): PageElement[] =>
    elementsOf(page.$<PageElement, string>(text)).filter(({ name }) => !unshown.has(name.toLowerCase()));
  try {
    if (page.marked.tags.length === 0) return { selector, certain: found(selector), uncertain: [] };
    const { strict, wide } = readings(page, tokens);
    const certain = found(strict);
    const all = new Set(certain);
    return { selector, certain, uncertain: found(wide).filter((element) => !all.has(element)) };
  } catch {
    // The selector is one that no program can read.
    return null;
  }
}

/**
 * A selector for the elements that another one matches regardless of the output of Liquid (`strict`), and for the
 * elements that it may match (`wide`).
 */
function readings({ flags }: TemplatePage, tokens: readonly Selector[]): { strict: string; wide: string } {
  const sibling = `[${flags.sibling}]`;
  let [strict, wide] = ['', ''];
  let [ownStrict, ownWide] = ['', ''];
  let isAfterSibling = false;
  const add = (text: string, unless: readonly string[] = []): void => {
    ownStrict += `${text}${unless.map((flag) => `:not(${flag})`).join('')}`;
    ownWide += unless.length === 0 ? text : `:is(${[text, ...unless].join(',')})`;
  };
  const endCompound = (): void => {
    strict += isAfterSibling ? `${ownStrict}:not(${sibling})` : ownStrict;
    wide = isAfterSibling ? `:is(${wide}${ownWide},${ownWide}${sibling})` : wide + ownWide;
    [ownStrict, ownWide] = ['', ''];
  };
  for (const token of tokens) {
    const text = stringify([[token]]);
    if (token.type === SelectorType.Tag || token.type === SelectorType.Universal) add(text);
    else if (token.type === SelectorType.Attribute && token.name === 'class' && !text.startsWith('[')) {
      const possible = stringify([[{ ...token, name: flags.class }]]);
      ownStrict += text;
      ownWide += `:is(${text},${possible})`;
    } else if (token.type === SelectorType.Attribute)
      add(text, [`[${token.name === 'class' ? flags.class : token.name === 'id' ? flags.id : flags.other}]`]);
    else if (token.type === SelectorType.Pseudo && token.name === 'not')
      add(text, [`[${flags.class}]`, `[${flags.id}]`, `[${flags.other}]`]);
    else if (token.type === SelectorType.Pseudo) add(text, token.name === 'root' ? [] : [sibling]);
    else {
      endCompound();
      isAfterSibling = token.type === SelectorType.Adjacent || token.type === SelectorType.Sibling;
      strict += text;
      wide += text;
    }
  }
  endCompound();
  return { strict, wide };
}
