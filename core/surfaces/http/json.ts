import { isUtf8 } from 'node:buffer';
import { refusalOf } from '#core/kernel/errors/common.js';

/** Names that would reach an object's prototype when copied. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);
const deepest = 32;

/**
 * Objects and lists in one body: 16 MiB of `[],[],…` take 2 s and 1 GB to parse (measured), before anybody knows who sent them. The
 * largest honest body, an import of 50,000 contacts, holds 200,000.
 */
const mostContainers = 500_000;
/** Smaller bodies cannot hold that many. */
const countedFrom = mostContainers;

/**
 * A JSON value from its bytes.
 * @throws unsupported_media_type, invalid_json, and invalid_input for too many objects, nesting beyond 32 or a name that reaches a
 * prototype
 */
export function parseBody(bytes: Buffer, contentType: string | undefined): unknown {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json')
    throw refusalOf.unsupported_media_type({ type: type === '' ? 'nothing' : type.slice(0, 100) });
  // Decoding would silently put U+FFFD in the place of what is not UTF-8.
  if (!isUtf8(bytes)) throw refusalOf.invalid_json({ problem: 'it is not UTF-8' });
  if (bytes.length > countedFrom && containersIn(bytes) > mostContainers)
    throw invalid('body', `holds more than ${mostContainers} objects and lists`);
  const value = parsed(bytes);
  guard(value);
  return value;
}

function parsed(bytes: Buffer): unknown {
  try {
    // A byte order mark may be ignored (RFC 8259 §8.1), and some clients write one.
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    const said = error instanceof Error ? error.message.slice(0, 200) : 'it does not parse';
    throw refusalOf.invalid_json({ problem: bytes.length === 0 ? 'it is empty' : said });
  }
}

const [quote, backslash, brace, bracket] = ['"', '\\', '{', '['].map((letter) => letter.charCodeAt(0));

/** Counts `{` and `[` outside of texts. */
function containersIn(bytes: Buffer): number {
  let count = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) inText = !inText;
    else if (inText) index += byte === backslash ? 1 : 0;
    else if (byte === brace || byte === bracket) count += 1;
  }
  return count;
}

/** A value on the way down, and how it is reached: the path is written out for a refusal alone. */
interface Visit {
  value: object;
  depth: number;
  name: string | number;
  from: Visit | undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Walks without recursion: 100,000 nested arrays parse, and would overflow a recursive walk (measured). */
function guard(root: unknown): void {
  const open: Visit[] = isObject(root) ? [{ value: root, depth: 1, name: '', from: undefined }] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > deepest) throw invalid(pathOf(next), `is nested deeper than ${deepest} levels`);
    if (Array.isArray(value)) {
      // The names of a list of a million numbers would cost a second.
      for (let index = 0; index < value.length; index += 1) {
        const each: unknown = value[index];
        if (isObject(each)) open.push({ value: each, depth: depth + 1, name: index, from: next });
      }
      continue;
    }
    for (const name of Object.keys(value)) {
      const each: unknown = Reflect.get(value, name);
      if (forbiddenNames.has(name)) throw invalid(pathOf({ value, depth, name, from: next }), 'is not an allowed name');
      if (isObject(each)) open.push({ value: each, depth: depth + 1, name, from: next });
    }
  }
}

function pathOf(visit: Visit): string {
  if (!visit.from) return '';
  const before = pathOf(visit.from);
  if (typeof visit.name === 'number') return `${before}[${visit.name}]`;
  return before === '' ? visit.name : `${before}.${visit.name}`;
}

function invalid(path: string, problem: string): Error {
  const field = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return refusalOf.invalid_input({ field, problem, details: { field } });
}
