import { isUtf8 } from 'node:buffer';
import { refusalOf } from '#core/kernel/errors/common.js';

/** Names that would change an object's prototype when copied. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);
const maxDepth = 32;

/**
 * Limit of objects and arrays in one body: parsing 16 MiB of `[],[],…` takes 2 s and 1 GB (measured), before the sender is known. The
 * largest legitimate body, an import of 50,000 contacts, has 200,000.
 */
const maxContainers = 500_000;
/** Smaller bodies cannot contain that many. */
const countedFrom = maxContainers;

/**
 * In valid UTF-8, lone surrogates and NUL can only come from escapes. The database would store a lone surrogate as U+FFFD, so the answer
 * would differ from what is stored (RFC 8259 §8.2).
 */
const invalidCharacter = /[\0\p{Cs}]/u;
const invalidEscape = /\\u(?:[dD][89a-fA-F]|0000)/;

/**
 * Parses a JSON body.
 * @param encoding the header Content-Encoding
 * @throws unsupported_media_type, invalid_json, and invalid_input for too many objects, nesting beyond 32, a name that changes a
 * prototype, or a text or name with a lone surrogate or NUL
 */
export function parseBody(bytes: Buffer, contentType: string | undefined, encoding?: string): unknown {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw refusalOf.unsupported_media_type({ type: `encoded with ${encoding.slice(0, 100)}` });
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json')
    throw refusalOf.unsupported_media_type({ type: type === '' ? 'nothing' : type.slice(0, 100) });
  // Decoding would silently replace invalid bytes with U+FFFD.
  if (!isUtf8(bytes)) throw refusalOf.invalid_json({ problem: 'it is not UTF-8' });
  if (bytes.length > countedFrom && containersIn(bytes) > maxContainers)
    throw invalid('body', `holds more than ${maxContainers} objects and lists`);
  const text = bytes.toString('utf8');
  const value = parsed(text);
  guard(value, invalidEscape.test(text));
  return value;
}

function parsed(text: string): unknown {
  try {
    // A byte order mark may be ignored (RFC 8259 §8.1), and some clients write one.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 200) : 'it does not parse';
    throw refusalOf.invalid_json({ problem: text === '' ? 'it is empty' : message });
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

/** A value with its parent. The path is only computed for an error. */
interface Visit {
  value: object;
  depth: number;
  name: string | number;
  from: Visit | undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Checks names, depth and texts. It does not recurse: 100,000 nested arrays parse, and would overflow the stack (measured).
 * @param texts whether texts are checked too
 */
function guard(root: unknown, texts: boolean): void {
  const open: Visit[] = [];
  const look = (value: unknown, name: string | number, from: Visit | undefined): void => {
    if (isObject(value)) open.push({ value, depth: (from?.depth ?? 0) + 1, name, from });
    else if (texts && typeof value === 'string') assertValidText(value, () => pathBelow(from, name));
  };
  look(root, '', undefined);
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > maxDepth) throw invalid(pathOf(next), `is nested deeper than ${maxDepth} levels`);
    if (Array.isArray(value)) {
      // Object.keys of an array with a million numbers would take a second.
      for (let index = 0; index < value.length; index += 1) look(value[index], index, next);
      continue;
    }
    for (const name of Object.keys(value)) {
      if (forbiddenNames.has(name)) throw invalid(pathBelow(next, name), 'is not an allowed name');
      if (texts) assertValidText(name, () => pathBelow(next, name));
      look(Reflect.get(value, name), name, next);
    }
  }
}

/** @throws invalid_input for a lone surrogate or NUL */
function assertValidText(text: string, path: () => string): void {
  const found = invalidCharacter.exec(text)?.[0];
  if (found === '\0') throw invalid(path(), 'holds the character U+0000');
  if (found !== undefined) throw invalid(path(), 'holds half a character: a surrogate without its pair');
}

const pathBelow = (from: Visit | undefined, name: string | number): string =>
  pathOf({ value: {}, depth: 0, name, from });

function pathOf(visit: Visit): string {
  if (!visit.from) return '';
  const before = pathOf(visit.from);
  if (typeof visit.name === 'number') return `${before}[${visit.name}]`;
  return before === '' ? visit.name : `${before}.${visit.name}`;
}

function invalid(path: string, problem: string): Error {
  // The names in the path may themselves be invalid.
  const replaceInvalid = (text: string): string => text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');
  const field =
    path === '' ? 'body' : path.length > 200 ? `${replaceInvalid(path.slice(0, 200))}…` : replaceInvalid(path);
  return refusalOf.invalid_input({ field, problem, details: { field } });
}
