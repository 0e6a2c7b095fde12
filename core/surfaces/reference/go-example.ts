import { goName } from '../names.js';
import type { GoInputs } from '../sdk-go/inputs.js';
import { lineLength, plain, type ShownCall } from './examples.js';

/* A call as a call of the SDK for Go. Unlike in other languages, a value is written by the type of its field. */

/** A value in Go: a text, or braces with parts in between, which can be broken into lines. */
type Literal = string | { readonly open: string; readonly parts: readonly Part[]; readonly close: string };

/** An element of a list, or a field or key with its value. */
interface Part {
  readonly key?: string;
  readonly value: Literal;
}

type Structs = GoInputs['structs'];

/** A call in Go: `out, err := client.Account.Get(ctx, svc.AccountGetInput{})`. A longer input is a variable. */
export function goExample({ name, example }: ShownCall, { inputs, structs }: GoInputs): string {
  const method = `client.${name.split('.').map(goName).join('.')}`;
  const input = literalOf(plain(example.input), inputs[name] ?? `${goName(name)}Input`, structs);
  const line = `out, err := ${method}(ctx, ${flat(input)})`;
  if (line.length <= lineLength) return line;
  const assignment = 'in := ';
  return `${assignment}${layout(input, 0, assignment.length)}\nout, err := ${method}(ctx, in)`;
}

/** @param type as the SDK declares it, without `svc.` */
function literalOf(value: unknown, type: string, structs: Structs): Literal {
  const nullable = /^Nullable\[(.+)\]$/.exec(type)?.[1];
  if (nullable !== undefined)
    return value === null ? `svc.Null[${qualified(nullable)}]()` : callOf('svc.Value', value, nullable, structs);
  if (!type.startsWith('*')) return plainLiteral(value, type, structs);
  const target = type.slice(1);
  if (value === null) return 'nil';
  if (target in structs) return around('&', plainLiteral(value, target, structs), '');
  return target === 'int64' ? `svc.Int(${scalar(value)})` : callOf('svc.Ptr', value, target, structs);
}

/** A value of a type that is not a pointer. A value that the type does not allow is written by its own type. */
function plainLiteral(value: unknown, type: string, structs: Structs): Literal {
  if (type === 'Strings') return plainLiteral(Array.isArray(value) ? value : [value], '[]string', structs);
  if (Array.isArray(value)) {
    const items = type.startsWith('[]') ? type.slice(2) : 'any';
    const parts = value.map((each: unknown) => ({ value: elided(literalOf(each, items, structs), items) }));
    return { open: `[]${qualified(items)}{`, parts, close: '}' };
  }
  if (typeof value !== 'object' || value === null) return scalar(value);
  const entries: [string, unknown][] = Object.entries(value);
  const fields = structs[type];
  if (fields) {
    const parts = entries.map(([field, each]) => ({
      key: goName(field),
      value: literalOf(each, fields[field] ?? '*string', structs),
    }));
    return { open: `svc.${type}{`, parts, close: '}' };
  }
  const values = /^map\[string\](.+)$/.exec(type)?.[1] ?? 'any';
  const parts = entries.map(([key, each]) => ({
    key: scalar(key),
    value: elided(literalOf(each, values, structs), values),
  }));
  return { open: `map[string]${qualified(values)}{`, parts, close: '}' };
}

/** A call with one value, with its type if Go would infer another one. */
function callOf(name: string, value: unknown, type: string, structs: Structs): Literal {
  const isInferred = ['string', 'bool'].includes(type) || type in structs || /^(?:\[\]|map\[)/.test(type);
  return around(`${name}${isInferred ? '' : `[${qualified(type)}]`}(`, plainLiteral(value, type, structs), ')');
}

const around = (before: string, literal: Literal, after: string): Literal =>
  typeof literal === 'string'
    ? `${before}${literal}${after}`
    : { ...literal, open: before + literal.open, close: literal.close + after };

/** Inside a list or map, the struct's type goes without saying. */
const elided = (literal: Literal, type: string): Literal =>
  typeof literal === 'string' || literal.open !== `${type.startsWith('*') ? '&' : ''}svc.${type.replace('*', '')}{`
    ? literal
    : { ...literal, open: '{' };

/** A type with the package's name: `[]EmailSendInputAttachmentsItem` is `[]svc.EmailSendInputAttachmentsItem`. */
const qualified = (type: string): string => type.replace(/\b(?=[A-Z])/g, 'svc.');

/** A text, a number or a boolean; JSON's escapes are also Go's. */
const scalar = (value: unknown): string => (value === null || value === undefined ? 'nil' : JSON.stringify(value));

/** Columns of a tab. */
const tabWidth = 2;

/** @param before columns already used on the line on which the value begins */
function layout(literal: Literal, depth: number, before: number): string {
  if (typeof literal === 'string') return literal;
  const { open, parts, close } = literal;
  const line = flat(literal);
  if (parts.length === 0 || tabWidth * depth + before + line.length <= lineLength) return line;
  const texts = parts.map(({ key, value }) => layout(value, depth + 1, key === undefined ? 0 : key.length + 2));
  const indent = '\t'.repeat(depth + 1);
  const lines = parts.map(({ key }, index) => {
    if (key === undefined) return `${indent}${texts[index]},\n`;
    return `${indent}${`${key}:`.padEnd(widthAt(parts, texts, index) + 1)} ${texts[index]},\n`;
  });
  return `${open}\n${lines.join('')}${'\t'.repeat(depth)}${close}`;
}

const flat = (literal: Literal): string => {
  if (typeof literal === 'string') return literal;
  const parts = literal.parts.map(({ key, value }) => (key === undefined ? '' : `${key}: `) + flat(value));
  return `${literal.open}${parts.join(', ')}${literal.close}`;
};

/** The width of the keys that gofmt aligns with this one: those of neighbours whose values are also on one line. */
function widthAt(parts: readonly Part[], texts: readonly string[], index: number): number {
  const isLong = (at: number): boolean => texts[at]?.includes('\n') ?? true;
  let [first, last] = [index, index];
  if (!isLong(index)) {
    while (!isLong(first - 1)) first -= 1;
    while (!isLong(last + 1)) last += 1;
  }
  return Math.max(...parts.slice(first, last + 1).map(({ key = '' }) => key.length));
}
