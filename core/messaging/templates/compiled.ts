import {
  defaultOperators,
  evalToken,
  ForTag,
  IfTag,
  isTruthy,
  Output,
  toValue,
  toValueSync,
  TypeGuards,
  type Context,
  type Emitter,
  type Template,
  type Value,
} from 'liquidjs';
import { written } from './written.js';

/*
 * The engine walks the tree of a template with several generators for each node: about 1.8 µs for an output, 60 µs for
 * the HTML of a newsletter. The nodes that nearly all templates consist of are compiled to functions instead: text,
 * outputs, `if` and `for`. Every other node is rendered by the engine in its place. If a function throws, for example
 * because a variable is missing, the caller renders the whole template with the engine, whose error it reports
 * (docs/decisions/0160).
 */

/** Renders a template; throws if the engine must render it instead, or report its error. */
type Compiled = (context: Context, output: Emitter) => void;

/** What the functions of one rendering share. */
interface Run {
  readonly context: Context;
  readonly output: Emitter;
  /** The scopes of the compiled `for` tags around a node, outermost first. */
  readonly loops: Record<string, unknown>[];
}

type Piece = (run: Run) => void;
/** Reads a value. If `isLenient`, a missing variable is null; otherwise it throws. */
type Read = (run: Run, isLenient: boolean) => unknown;

const byTemplates = new WeakMap<readonly Template[], Compiled>();

/** Compiles a parsed template, once for each array that the parser returned. */
export function compiledOf(templates: readonly Template[]): Compiled {
  const known = byTemplates.get(templates);
  if (known) return known;
  const pieces = piecesOf(templates, templates[0]?.token.input.includes('forloop') ?? false);
  const compiled: Compiled = (context, output) => {
    runAll(pieces, { context, output, loops: [] });
  };
  byTemplates.set(templates, compiled);
  return compiled;
}

/** @returns whether the tag `break` ends the loop around the pieces */
function runAll(pieces: readonly Piece[], run: Run): boolean {
  const { context } = run;
  context.renderLimit.check(performance.now());
  for (const piece of pieces) {
    piece(run);
    if (context.breakCalled || context.continueCalled) break;
  }
  return context.breakCalled;
}

/** @param readsProgress the source has a loop that may read its own progress; such loops are the engine's */
const piecesOf = (templates: readonly Template[], readsProgress: boolean): Piece[] =>
  templates.map((template) => pieceOf(template, readsProgress));

function pieceOf(template: Template, readsProgress: boolean): Piece {
  const { token } = template;
  if (TypeGuards.isHTMLToken(token)) {
    const text = token.getContent();
    return ({ output }) => output.write(text);
  }
  const compiled =
    template instanceof Output
      ? outputPiece(template)
      : template instanceof IfTag
        ? ifPiece(template, readsProgress)
        : template instanceof ForTag && !readsProgress
          ? forPiece(template)
          : undefined;
  return compiled ?? enginePiece(template);
}

/** A node that the engine renders. Its tags may assign variables, and end the loop around it. */
const enginePiece =
  (template: Template): Piece =>
  ({ context, output }) => {
    const text: unknown = toValueSync(template.render(context, output));
    if (text) output.write(text);
  };

/** The name of the engine's filter that escapes every output, which no template can name. */
const isOutputEscape = (name: string): boolean => name.startsWith('[object ');

function outputPiece({ value }: Output): Piece | undefined {
  const read = readOf(value);
  if (!read) return undefined;
  return (run) => run.output.write(read(run, false));
}

function ifPiece({ branches, elseTemplates }: IfTag, readsProgress: boolean): Piece | undefined {
  const compiled = branches.flatMap(({ value, templates }) => {
    const read = readOf(value);
    return read ? [{ read, pieces: piecesOf(templates, readsProgress) }] : [];
  });
  if (compiled.length < branches.length) return undefined;
  const otherwise = piecesOf(elseTemplates ?? [], readsProgress);
  return (run) => {
    const taken = compiled.find(({ read }) => isTruthy(toValue(read(run, run.context.opts.lenientIf)), run.context));
    runAll(taken?.pieces ?? otherwise, run);
  };
}

/** Only over lists, without `limit` and its like. */
function forPiece(tag: ForTag): Piece | undefined {
  const { variable, collection, hash, templates, elseTemplates } = tag;
  if (Object.keys(hash.hash).length > 0) return undefined;
  const pieces = piecesOf(templates, false);
  const otherwise = piecesOf(elseTemplates, false);
  const render = enginePiece(tag);
  const continueKey = `continue-${variable}-${collection.getText()}`;
  return (run) => {
    const { context, loops } = run;
    const items: unknown = toValue(toValueSync(evalToken(collection, context)));
    if (!Array.isArray(items)) {
      render(run);
      return;
    }
    if (items.length === 0) {
      runAll(otherwise, run);
      return;
    }
    context.setRegister(continueKey, items.length);
    const scope: Record<string, unknown> = {};
    Object.setPrototypeOf(scope, null);
    context.push(scope);
    loops.push(scope);
    for (const item of items) {
      scope[variable] = item;
      context.continueCalled = context.breakCalled = false;
      if (runAll(pieces, run)) break;
    }
    context.continueCalled = context.breakCalled = false;
    loops.pop();
    context.pop();
  };
}

/** Undefined if the engine must evaluate the value. */
function readOf({ initial, filters }: Value): Read | undefined {
  const read = expressionOf(initial.postfix);
  if (!read || filters.length === 0) return read;
  const isDefaulted = filters[0]?.name === 'default';
  const isEscaped = isOutputEscape(filters.at(-1)?.name ?? '');
  const applied = isEscaped ? filters.slice(0, -1) : filters;
  return (run, isLenient) => {
    const { context } = run;
    let value = read(run, isLenient || (context.opts.lenientIf && isDefaulted));
    for (const filter of applied) value = toValueSync<unknown>(filter.render(value, context));
    return isEscaped ? escaped(written(value), context) : value;
  };
}

type Token = Value['initial']['postfix'][number];

function expressionOf(postfix: readonly Token[]): Read | undefined {
  const [first, second, operator] = postfix;
  const left = first && operandOf(first);
  if (!left || postfix.length === 1) return left;
  const right = second && operandOf(second);
  if (!right || postfix.length !== 3 || !operator || !TypeGuards.isOperatorToken(operator)) return undefined;
  const { operator: name } = operator;
  const evaluate = defaultOperators[name];
  if (!evaluate) return undefined;
  return (run, isLenient) => {
    const [from, to] = [left(run, isLenient), right(run, isLenient)];
    if (typeof from === 'string' && typeof to === 'string') {
      if (name === '==') return from === to;
      if (name === '!=') return from !== to;
    }
    return toValueSync<unknown>(evaluate(from, to, run.context));
  };
}

function operandOf(token: Token): Read | undefined {
  if (TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isLiteralToken(token)) {
    const { content } = token;
    return () => content;
  }
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return undefined;
  const path = token.props.flatMap((prop) =>
    TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop) || TypeGuards.isNumberToken(prop)
      ? [prop.content]
      : [],
  );
  const [name] = path;
  return path.length === token.props.length && typeof name === 'string' ? variableAt(name, path) : undefined;
}

/** Reads properties as the engine does. */
interface Properties {
  readProperty(of: unknown, key: string | number): unknown;
}

const variableAt =
  (name: string, path: readonly (string | number)[]): Read =>
  (run, isLenient) => {
    const properties: Properties = run.context;
    let value: unknown = scopeOf(run, name);
    for (const key of path) {
      value = properties.readProperty(value, key);
      if (value !== undefined) continue;
      if (isLenient) return null;
      throw new Error(`undefined variable: ${name}`);
    }
    return value;
  };

/** The innermost scope with the name, as the engine finds it. */
function scopeOf({ context, loops }: Run, name: string): object {
  for (let index = loops.length - 1; index >= 0; index -= 1) {
    const scope = loops[index];
    if (scope && name in scope) return scope;
  }
  const assigned = context.bottom();
  if (name in assigned) return assigned;
  return name in context.environments ? context.environments : context.globals;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** As the engine's filter `escape`. */
function escaped(text: string, { memoryLimit }: Context): string {
  memoryLimit.use(text.length);
  return /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '') : text;
}
