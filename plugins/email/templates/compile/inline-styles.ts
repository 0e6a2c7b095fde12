import juice from 'juice';
import { mayWriteElements, type Marked } from './liquid-marks.js';
import { matchesOf, type Match } from './selectors.js';
import { statementsOf, type Declaration, type Statement } from './style-sheet.js';
import {
  depthOf,
  hasTag,
  readPage,
  styleElements,
  withoutTags,
  type Page,
  type PageElement,
  type TemplatePage,
} from './template-page.js';

/*
 * CSS is inlined for mail programs that ignore style sheets. A rule is removed from its sheet only if it was inlined on
 * every element that it can ever apply to. It stays for elements of mail programs (`[data-ogsc]`, `#outlook a`), for
 * states (`:hover`), for classes that Liquid chooses, and for HTML in variables.
 *
 * An inlined property overrides every style sheet. If it is uncertain whether a rule applies to an element, no rule's
 * properties of the same name are therefore inlined on it: the sheet decides.
 */

const options = {
  applyWidthAttributes: true,
  applyHeightAttributes: true,
  applyAttributesTableElements: true,
  resolveCSSVariables: true,
  preserveImportant: true,
  decodeStyleAttributes: true,
};

/** Marks the style element of the layout, whose rules stay only if elements of the template may need them. */
export const layoutSheet = 'data-svc-layout';

interface SheetRule {
  readonly statement: Statement;
  /** By their names without Liquid. */
  readonly declarations: readonly Declaration[];
  /** Its selectors that can be inlined. */
  readonly matches: readonly Match[];
  /** Whether the whole rule can be inlined. */
  readonly isWhole: boolean;
}

/**
 * Puts the CSS of the style elements on the elements that it applies to, and leaves the rest in the style elements.
 * @param marked the HTML with a word in place of each Liquid tag
 * @returns the same with its CSS inlined
 */
export function inlineStyles(marked: Marked): string {
  const page = readPage(marked);
  const { $, frozen } = page;
  const sheets = styleElements($)
    .filter(({ attribs }) => isInlined(attribs))
    .map((element) => ({ element, rules: rulesOf(page, $(element).text()) }));
  const rules = sheets.flatMap((sheet) => sheet.rules);
  const unsettled = unsettledOf(rules);
  const isUnsettled = (element: PageElement, { name }: Declaration): boolean =>
    unsettled.get(element)?.some((other) => overlap(name, other)) === true;
  // Elements with the same undecided properties together: most have none.
  const groups = new Map<string, Set<PageElement>>();
  for (const { matches } of rules)
    for (const element of matches.flatMap(({ certain }) => certain)) {
      const names = unsettled.get(element)?.toSorted().join() ?? '';
      if (!frozen.has(element)) groups.set(names, (groups.get(names) ?? new Set()).add(element));
    }
  for (const group of groups.values()) {
    const [first] = group;
    if (first) apply($, rules, group, (declaration) => !isUnsettled(first, declaration));
  }

  const hasUnknown = marked.tags.some(mayWriteElements);
  const isCovered = ({ declarations, matches, isWhole }: SheetRule, isOptional: boolean): boolean =>
    isWhole &&
    !hasUnknown &&
    !declarations.some(({ name }) => name.startsWith('--')) &&
    matches.every(
      ({ certain, uncertain }) =>
        uncertain.length === 0 &&
        (certain.length > 0 || isOptional) &&
        !certain.some((element) => frozen.has(element) || declarations.some((each) => isUnsettled(element, each))),
    );
  for (const { element, rules: own } of sheets) {
    const kept = own.filter((rule) => !isCovered(rule, layoutSheet in element.attribs));
    const text = kept.map(({ statement }) => statement.text).join('\n');
    if (text === '') $(element).remove();
    else $(element).text(`\n${text}\n`).removeAttr(layoutSheet);
  }
  $('style[data-embed]').removeAttr('data-embed');
  return page.restored();
}

/** Style sheets for certain screens or in other languages are left unchanged. */
const isInlined = ({ media = '', type = '', ...others }: Readonly<Record<string, string>>): boolean =>
  /^(?:all|screen)?$/i.test(media.trim()) && /^(?:text\/css)?$/i.test(type.trim()) && !('data-embed' in others);

/** Whether two properties set the same thing, such as `border` and `border-top`. */
const overlap = (one: string, other: string): boolean =>
  one === other ||
  one.startsWith(`${other}-`) ||
  other.startsWith(`${one}-`) ||
  (one === 'font' && other === 'line-height') ||
  (one === 'line-height' && other === 'font');

/**
 * By element: the properties that a rule may or may not set on it. Important declarations override inlined properties
 * anyway.
 */
function unsettledOf(rules: readonly SheetRule[]): Map<PageElement, string[]> {
  const found = new Map<PageElement, Set<string>>();
  for (const { declarations, matches } of rules) {
    const names = declarations.flatMap(({ name, isImportant }) => (isImportant ? [] : name));
    for (const { uncertain } of matches)
      for (const element of uncertain) {
        const known = found.get(element) ?? new Set();
        names.forEach((name) => known.add(name));
        found.set(element, known);
      }
  }
  return new Map([...found].map(([element, names]) => [element, [...names]]));
}

/** The rules and other statements of a sheet. */
function rulesOf(page: TemplatePage, css: string): SheetRule[] {
  const { marked } = page;
  const leading = new RegExp(`^(?:\\s*${marked.prefix}\\d+z)+`, 'i');
  let depth = 0;
  const statements = statementsOf(css).filter(({ text }) => !/^(?:\/\*|<!--|-->)/.test(text) || hasTag(marked, text));
  return statements.map((statement) => {
    const { rule, text } = statement;
    // A tag before a rule, such as {% endif %}, is parsed as the beginning of its selector.
    const [tags = ''] = leading.exec(text) ?? [];
    const isChosen = depth + depthOf(marked, tags) > 0;
    depth += depthOf(marked, text);
    if (!rule) return { statement, declarations: [], matches: [], isWhole: false };
    const found = matchesOf(page, rule.prelude.replace(leading, ''));
    const matches = found.flatMap((match) => match ?? []);
    const isConditional =
      isChosen ||
      rule.declarations.some(({ name, value }) => name === '' || hasTag(marked, name) || depthOf(marked, value) !== 0);
    return {
      statement,
      declarations: rule.declarations.map((each) => ({ ...each, name: withoutTags(marked, each.name) })),
      matches: isConditional
        ? matches.map((each) => ({ ...each, certain: [], uncertain: [...each.certain, ...each.uncertain] }))
        : matches,
      isWhole: tags === '' && found.length > 0 && matches.length === found.length,
    };
  });
}

/** Inlines the wanted declarations of rules on some of the elements that they match. */
function apply(
  $: Page,
  rules: readonly SheetRule[],
  among: ReadonlySet<PageElement>,
  isWanted: (declaration: Declaration) => boolean,
): void {
  const bySelector = new Map<string, PageElement[]>();
  const css = rules.flatMap(({ statement, declarations, matches }) => {
    const block = (statement.rule?.declarations ?? [])
      .filter((each, index) => isWanted(declarations[index] ?? each))
      .map(({ name, value, isImportant }) => `${name}:${value}${isImportant ? ' !important' : ''}`)
      .join(';');
    return matches.flatMap(({ selector, certain }) => {
      const elements = certain.filter((element) => among.has(element));
      if (block === '' || elements.length === 0) return [];
      bySelector.set(selector, elements);
      return `${selector}{${block}}`;
    });
  });
  // The inliner requests the elements of a selector from the page, which returns the intended ones.
  const page = (wanted: string | PageElement) =>
    typeof wanted === 'string' ? $(bySelector.get(wanted) ?? []) : $(wanted);
  juice.inlineDocument(page, css.join('\n'), options);
}
