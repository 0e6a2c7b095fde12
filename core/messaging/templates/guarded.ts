import { randomInt } from 'node:crypto';
import { html, parse as parseDocument, parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { hasWebAddress } from '#core/kernel/schema/plain-name.js';
import { placeOf, renderTemplate, type Escaping, type Rendered, type RenderOptions } from './liquid.js';
import { hasTellingStyles } from './telling-styles.js';

/*
 * A sign-in code or link in an override of a system message must reach only its recipient (docs/decisions/0042). A
 * template that could read the value could pass it on in many ways: an image's address, `{% if code contains "1" %}`,
 * filters that take it apart. So the template gets a random stand-in, and the value replaces it in the rendered text
 * only in places that merely show it: in text, and, for the link, as the whole address of a link.
 */

/** The variables whose values are guarded, and the addresses that a link may lead to. */
const guardedNames = ['code', 'url'] as const;
type GuardedName = (typeof guardedNames)[number];

/** Values by their variables. */
export type Guarded = Readonly<Partial<Record<GuardedName, string>>>;

/** Values to try a text with. */
export const exampleGuarded: Required<Guarded> = { code: '000000', url: 'https://example.com/' };

/** The guarded ones among the variables of a system message. */
export const guardedOf = (variables: Readonly<Record<string, unknown>>): Guarded =>
  Object.fromEntries(
    guardedNames.flatMap((name) => {
      const value = variables[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

/**
 * Characters of a stand-in, from Unicode's private use area: 2^101 ways, which neither escaping nor a change of case
 * alters.
 */
const standInLength = 8;
const privateUse = { first: 0xe000, last: 0xf8ff };

interface StandIn {
  readonly name: GuardedName;
  readonly value: string;
  readonly text: string;
}

/** @param used texts that must not have any of its characters, so that a part of a stand-in can be told from them */
function standInFor(name: GuardedName, value: string, used: string): StandIn {
  let text = '';
  while (text.length < standInLength) {
    const character = String.fromCharCode(randomInt(privateUse.first, privateUse.last + 1));
    if (!used.includes(character)) text += character;
  }
  return { name, value, text };
}

/**
 * Renders a source, and puts guarded values only where they are shown. It runs in rendering threads, because HTML can
 * be written that takes long to parse.
 * @returns as `renderTemplate`; a problem if a guarded value would go anywhere else, or if only a part of it is shown
 */
export function renderGuarded(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  guarded: Guarded,
  escaping: Escaping,
  options: RenderOptions,
): Rendered {
  const used = source + JSON.stringify(variables);
  const attempt = (): { standIns: readonly StandIn[]; rendered: Rendered } => {
    const standIns = guardedNames.flatMap((name) => {
      const value = guarded[name];
      return value === undefined ? [] : [standInFor(name, value, used)];
    });
    const given = Object.fromEntries(standIns.map(({ name, text }) => [name, text]));
    return { standIns, rendered: renderTemplate(source, { ...variables, ...given }, escaping, options) };
  };
  const { standIns, rendered } = attempt();
  if (!rendered.ok) return rendered;
  // Different stand-ins give the same text, unless something in it was derived from them.
  const again = attempt();
  const isSame = again.rendered.ok && without(again.rendered.text, again.standIns) === without(rendered.text, standIns);
  const [first] = standIns;
  if (!isSame && first) {
    const name = standIns.find((each) => placeOf(source, each.name).isFound)?.name ?? first.name;
    return misplacedIn(source, { name, problem: wholeOnly(name) });
  }
  const found = misplaced(rendered.text, escaping, standIns);
  if (found) return misplacedIn(source, found);
  const text = standIns.reduce(
    (shown, { text: standIn, value }) =>
      shown.replaceAll(standIn, () => (escaping === 'html' ? escaped(value) : value)),
    rendered.text,
  );
  return { ok: true, text };
}

const escaped = (value: string): string => value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface Misplaced {
  readonly name: GuardedName;
  readonly problem: string;
}

const misplacedIn = (source: string, { name, problem }: Misplaced): Rendered => {
  const { line, column } = placeOf(source, name);
  return { ok: false, line, column, problem, isMisplaced: true };
};

const wholeOnly = (name: GuardedName): string =>
  `the variable ${name} must be output unchanged: write {{ ${name} }} without filters`;

/** The text with the names of the stand-ins in their places. */
const without = (text: string, standIns: readonly StandIn[]): string =>
  standIns.reduce((shown, each) => shown.replaceAll(each.text, `{{ ${each.name} }}`), text);

function misplaced(text: string, escaping: Escaping, standIns: readonly StandIn[]): Misplaced | undefined {
  const shown = escaping === 'html' ? shownIn(parseDocument(text)) : { runs: [text], links: [] };
  const [first] = standIns.filter((each) => text.includes(each.text));
  if (first && escaping === 'html' && hasTellingStyles(text))
    return {
      name: first.name,
      problem: `the variable ${first.name} cannot be combined with styles that could leak it to a server: remove @import, @font-face, linked style sheets and selectors on href`,
    };
  for (const { name, text: standIn } of standIns) {
    const allowed = [...shown.runs, ...(name === 'url' ? shown.links.filter((link) => link === standIn) : [])];
    if (occurrences(allowed.join('\n'), standIn) < occurrences(text, standIn))
      return {
        name,
        problem:
          name === 'url'
            ? 'the variable url may appear only in text and as the whole href of a link'
            : `the variable ${name} may appear only in text, not in attributes, styles, forms or comments`,
      };
    if (shown.runs.some((run) => isPartOfAddress(run, standIns, standIn)))
      return { name, problem: `the variable ${name} must not be part of another address: put a space before it` };
  }
  return undefined;
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** Whether mail programs may turn the word that contains a stand-in into a link. */
function isPartOfAddress(run: string, standIns: readonly StandIn[], standIn: string): boolean {
  if (!run.includes(standIn)) return false;
  return run
    .split(/[\s<>"]+/)
    .filter((word) => word.includes(standIn))
    .map((word) => standIns.reduce((text, each) => text.replaceAll(each.text, 'x'), word))
    .some((word) => hasWebAddress(word) || /\b(?:tel|sms|mailto):/i.test(word));
}

/** The text that a mail program shows from an HTML document. */
interface Shown {
  /** The text of each block. */
  readonly runs: readonly string[];
  /** The addresses that its links lead to. */
  readonly links: readonly string[];
}

/** Elements whose content is not shown as text, or is sent with a form. */
const unshown = new Set([
  ...['script', 'style', 'template', 'noscript', 'iframe', 'object', 'noembed', 'noframes', 'xmp', 'plaintext'],
  ...['textarea', 'select', 'option', 'datalist', 'button'],
]);

/** Elements within a line: the text on both sides of their tags may be read as one word. */
const inline = new Set(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strong sub sup tt u var wbr'.split(
    ' ',
  ),
);

/** Links of HTML, and of the buttons that Outlook draws. */
const linkElements = new Set(['a', 'v:rect', 'v:roundrect']);

/** HTML that only Outlook reads: `<!--[if mso]> … <![endif]-->`. */
const conditional = /^\[if\b[^\]]*\]>([\s\S]*)<!\[endif\]$/i;

type Node = DefaultTreeAdapterTypes.Node;

/** A step of the walk: a node, or the end of a block. An explicit stack, because documents can be nested deeply. */
type Step = Node | 'end of block';

function shownIn(document: Node): Shown {
  const runs: string[] = [];
  const links: string[] = [];
  let run = '';
  const endRun = (): void => {
    if (run !== '') runs.push(run);
    run = '';
  };
  const steps: Step[] = [document];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (step === 'end of block') endRun();
    else if ('value' in step) run += step.value;
    else if ('data' in step) {
      const [, content] = conditional.exec(step.data) ?? [];
      endRun();
      if (content !== undefined) steps.push('end of block', parseFragment(content));
    } else if ('tagName' in step) {
      const { tagName, attrs, namespaceURI, childNodes } = step;
      if (namespaceURI !== html.NS.HTML || unshown.has(tagName)) continue;
      const href = attrs.find(({ name }) => name === 'href')?.value.trim();
      // The pings of a link name its address to others.
      if (href !== undefined && linkElements.has(tagName) && !attrs.some(({ name }) => name === 'ping'))
        links.push(href);
      const isInline = inline.has(tagName);
      if (!isInline) endRun();
      if (!isInline) steps.push('end of block');
      // Not as arguments of one call: 200,000 of them are more than the stack holds.
      for (const child of childNodes.toReversed()) steps.push(child);
    } else if ('childNodes' in step) for (const child of step.childNodes.toReversed()) steps.push(child);
  }
  endRun();
  return { runs, links };
}
