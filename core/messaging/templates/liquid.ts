import { Context, Liquid, toValue, toValueSync, type Emitter, type Template } from 'liquidjs';
import { useDecimalArithmetic } from './arithmetic.js';
import { compiledOf } from './compiled.js';
import { useRubyDates } from './date-formats.js';
import { written } from './written.js';

/*
 * Templates are Liquid (liquidjs). It does not run its authors' code or read files, and output, time and memory are
 * capped. Values are never rendered twice: a value that contains {{ … }} is output as those characters. Customers'
 * templates are rendered in a separate thread (render-pool.ts), because templates can keep the processor busy despite
 * the engine's limits.
 */

export type Escaping = 'html' | 'none';

const limits = { parseLimit: 2_000_000, memoryLimit: 2_000_000 };
/** Milliseconds for one text in total, no matter how many of its variables are missing. */
const renderMs = 400;
/** The engine's own limits do not count the output: `{{ a }}` a thousand times made 512 MB of 1 MB (measured). */
const maxCharacters = 1_048_576;
/** The parser's time grows with the square of these: 140,000 took 9 seconds (measured), 5,000 take 0.1 s. */
const maxTags = 5_000;
/** A range makes an array of its numbers. */
const maxRange = 10_000;

const engine = (escaping: Escaping): Liquid =>
  new Liquid({
    strictVariables: true,
    // A template uses `default` and `if` to state that a variable may be absent.
    lenientIf: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // Without this, {% include %} reads files of the server (seen).
    templates: {},
    relativeReference: false,
    cache: false,
    // Otherwise the zone and language of the machine decide what `date` writes: 2026-12-24 would be the 23rd in New
    // York.
    timezoneOffset: 0,
    locale: 'en',
    ...(escaping === 'html' ? { outputEscape: 'escape' as const } : {}),
    ...limits,
  });

/** Their expression is evaluated for each element, and the engine does not check the time in between. */
const refusedFilters = ['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp'];

/** Tags that read other templates, of which there are none. */
const unsupportedTags = ['include', 'render', 'layout', 'block'];

function engineFor(escaping: Escaping): Liquid {
  const made = engine(escaping);
  for (const name of unsupportedTags) {
    const refuse = (): never => {
      throw new Error(`the tag “${name}” is not supported: put the content directly into this template`);
    };
    made.registerTag(name, { parse: refuse, render: refuse });
  }
  for (const name of refusedFilters) Reflect.deleteProperty(made.filters, name);
  useDecimalArithmetic(made);
  useRubyDates(made);
  return made;
}

const engines = { html: engineFor('html'), none: engineFor('none') } as const;

/** The variables that a source uses, or the position of its error. */
export type Checked = { ok: true; variables: string[] } | { ok: false; line: number; column: number; problem: string };

export type Parse = (source: string, escaping: Escaping) => Template[];

const at = (error: unknown): { line: number; column: number; problem: string } => {
  const message = error instanceof Error ? error.message : String(error);
  const found = /line:(\d+), col:(\d+)/.exec(message);
  return {
    line: Number(found?.[1] ?? 1),
    column: Number(found?.[2] ?? 1),
    problem: message.replace(/, (file:[^,]*, )?line:\d+.*$/s, '').slice(0, 200),
  };
};

/** Without tags and outputs there is nothing to render. */
export const isPlain = (source: string): boolean => !source.includes('{{') && !source.includes('{%');

/** How many tags and outputs a source has. In a `{% liquid %}` tag every line is a tag. */
export function countTags(source: string): number {
  let tags = 0;
  for (let found = source.indexOf('{'); found >= 0; found = source.indexOf('{', found + 2))
    if (source[found + 1] === '{' || source[found + 1] === '%') tags += 1;
  const lines = /\{%-?\s*liquid\b/.test(source) ? source.split('\n').length : 0;
  return tags + lines;
}

function hasLongRange(source: string): boolean {
  for (const [, low, high] of source.matchAll(/\(\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*\)/g))
    if (Number(high) - Number(low) >= maxRange) return true;
  return false;
}

/** @throws Error whose message ends with line and column */
export function parseSource(source: string, escaping: Escaping): Template[] {
  if (countTags(source) > maxTags) throw new Error(`has more than ${maxTags} tags`);
  if (hasLongRange(source)) throw new Error(`has a range of more than ${maxRange} numbers`);
  return engines[escaping].parse(source);
}

/**
 * Checks the syntax of a template and lists the variables that it uses, such as `order.number`, in the order of their
 * use.
 */
export function checkTemplate(source: string, escaping: Escaping): Checked {
  if (isPlain(source)) return { ok: true, variables: [] };
  try {
    const names = engines[escaping].globalFullVariablesSync(parseSource(source, escaping));
    return { ok: true, variables: names.filter((name) => !names.some((other) => other.startsWith(`${name}.`))) };
  } catch (error) {
    return { ok: false, ...at(error) };
  }
}

/** Where a name first occurs in a tag of a template. */
export function placeOf(source: string, name: string): { line: number; column: number; isFound: boolean } {
  const found = indexInTag(source, name);
  const lines = source.slice(0, Math.max(0, found)).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, isFound: found >= 0 };
}

/** Where a text first occurs between `{{` or `{%` and the next `}}` or `%}`; -1 if it does not. */
function indexInTag(source: string, name: string): number {
  const begins = /\{[{%]/g;
  const ends = /[}%]\}/g;
  for (let begin = begins.exec(source); begin; begin = begins.exec(source)) {
    ends.lastIndex = begins.lastIndex;
    if (!ends.exec(source)) return -1;
    const within = source.slice(begin.index, ends.lastIndex).indexOf(name);
    if (within >= 0) return begin.index + within;
    begins.lastIndex = ends.lastIndex;
  }
  return -1;
}

export type Rendered =
  | { ok: true; text: string }
  /** `preview` is the text with `{{ name }}` in their places, if it was requested and can be rendered. */
  | { ok: false; missing: string[]; preview?: string }
  /** `isMisplaced`: a guarded value would go where it must not, see guarded.ts. */
  | { ok: false; line: number; column: number; problem: string; isMisplaced?: true };

/** Missing names that are listed, at most. */
const maxMissing = 50;

export interface RenderOptions {
  /** Parses a source. A caller that renders a source several times passes a cached parser. */
  readonly parse?: Parse;
  /** If variables are missing, also render the text with their names. */
  readonly isPreview?: boolean | undefined;
  /** The language of the source: `date` writes the names of months and days in it. English by default. */
  readonly locale?: string | undefined;
}

/**
 * Renders a source with variables, in this thread: for svc's own templates. Customers' templates go through
 * render-pool.ts.
 * @returns the text, or the names of all missing variables, or the position of the template's error
 */
export function renderTemplate(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  escaping: Escaping,
  { parse = parseSource, isPreview, locale }: RenderOptions = {},
): Rendered {
  if (isPlain(source)) return { ok: true, text: source };
  const found: string[] = [];
  const endsAt = performance.now() + renderMs;
  const missing = (): Rendered => {
    const names = innermost(found);
    const preview = isPreview
      ? previewOf(() => parse(source, escaping), variables, names, { escaping, locale, endsAt })
      : undefined;
    return { ok: false, missing: names, ...(preview === undefined ? {} : { preview }) };
  };
  try {
    const templates = parse(source, escaping);
    // The engine stops at the first undefined variable; replacing it with a stand-in finds the next.
    for (let scope: Readonly<Record<string, unknown>> = variables; ;) {
      const attempt = rendered(templates, scope, { escaping, locale, endsAt });
      if ('text' in attempt) return found.length > 0 ? missing() : attempt;
      const { name } = attempt;
      if (found.includes(name) || found.length >= maxMissing) return missing();
      found.push(name);
      scope = withStandIn(scope, name.split('.'), '');
    }
  } catch (error) {
    return found.length > 0 ? missing() : { ok: false, ...at(error) };
  }
}

/**
 * The text with `{{ name }}` in place of missing variables, otherwise with nothing in their places; undefined if
 * neither can be rendered.
 */
function previewOf(
  parse: () => Template[],
  variables: Readonly<Record<string, unknown>>,
  names: readonly string[],
  how: RenderHow,
): string | undefined {
  for (const standIn of [(name: string) => `{{ ${name} }}`, () => '']) {
    const scope = names.reduce((given, name) => withStandIn(given, name.split('.'), standIn(name)), { ...variables });
    try {
      const attempt = rendered(parse(), scope, how);
      if ('text' in attempt) return attempt.text;
    } catch {
      // A filter does not accept the stand-in.
    }
  }
  return undefined;
}

interface RenderHow {
  readonly escaping: Escaping;
  readonly locale: string | undefined;
  readonly endsAt: number;
}

/** @throws the engine's errors, except for an undefined variable: its name is returned */
function rendered(
  templates: Template[],
  scope: Readonly<Record<string, unknown>>,
  how: RenderHow,
): { ok: true; text: string } | { name: string } {
  const output = cappedOutput();
  try {
    compiledOf(templates)(newContext(scope, how), output);
    return { ok: true, text: output.buffer };
  } catch {
    return interpreted(templates, scope, how);
  }
}

/** `rendered` by the engine alone, for its errors. */
function interpreted(
  templates: Template[],
  scope: Readonly<Record<string, unknown>>,
  how: RenderHow,
): { ok: true; text: string } | { name: string } {
  const output = cappedOutput();
  try {
    toValueSync(engines[how.escaping].renderer.renderTemplates(templates, newContext(scope, how), output));
    return { ok: true, text: output.buffer };
  } catch (error) {
    const name = /undefined variable: ([^,\s]+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (name === undefined) throw error;
    return { name };
  }
}

function newContext(scope: Readonly<Record<string, unknown>>, { escaping, locale, endsAt }: RenderHow): Context {
  const liquid = engines[escaping];
  const options = locale === undefined ? liquid.options : { ...liquid.options, locale };
  // `increment` and `decrement` write into the scope.
  return contextOf({ ...scope }, options, Math.max(0, endsAt - performance.now()));
}

/** An empty list that was supplied lacks no variable: `{{ items.first }}` is nil. */
function contextOf(scope: Readonly<Record<string, unknown>>, options: Liquid['options'], renderLimit: number): Context {
  const context = new Context(scope, options, { sync: true, renderLimit });
  const read = context.readProperty.bind(context);
  context.readProperty = (of, key) => {
    const found: unknown = read(of, key);
    const isElement = (): boolean =>
      Array.isArray(of) && of.length === 0 && /^(?:first|last|-?\d+)$/.test(String(toValue(key)));
    return found === undefined && isElement() ? null : found;
  };
  return context;
}

/** The output of the templates, up to the cap. */
const cappedOutput = (): Emitter => ({
  buffer: '',
  write(value: unknown) {
    this.buffer += written(value);
    if (this.buffer.length > maxCharacters) throw new Error(`the output has more than ${maxCharacters} characters`);
  },
});

/** `user` was found missing while reading `user.name`: only the latter is reported. */
const innermost = (names: readonly string[]): string[] =>
  names.filter((name) => !names.some((other) => other.startsWith(`${name}.`)));

/**
 * Variables by these paths, as they are passed: `contact.firstName` is a field of an object. Each has the value “…”.
 */
export const valuesFor = (paths: readonly string[]): Record<string, unknown> =>
  paths.reduce<Record<string, unknown>>((given, path) => withStandIn(given, path.split('.'), '…'), {});

/** A list is represented by its elements by index, so that existing elements are not reported. */
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function withStandIn(
  scope: Record<string, unknown>,
  [head = '', ...rest]: string[],
  standIn: string,
): Record<string, unknown> {
  const inner = scope[head];
  return { ...scope, [head]: rest.length === 0 ? standIn : withStandIn(isRecord(inner) ? inner : {}, rest, standIn) };
}
