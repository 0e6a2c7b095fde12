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
 * Half a character (a lone surrogate) and NUL reach a text of valid UTF-8 by an escape alone. The first is no text at all: the database
 * would keep U+FFFD in its place, and the answer would not be what is stored (RFC 8259 §8.2).
 */
const unsound = /[\0\p{Cs}]/u;
const unsoundEscape = /\\u(?:[dD][89a-fA-F]|0000)/;

/**
 * A JSON value from its bytes.
 * @param encoding the header Content-Encoding
 * @throws unsupported_media_type, invalid_json, and invalid_input for too many objects, nesting beyond 32, a name that reaches a
 * prototype, or a text or name with half a character or NUL
 */
export function parseBody(bytes: Buffer, contentType: string | undefined, encoding?: string): unknown {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw refusalOf.unsupported_media_type({ type: `encoded with ${encoding.slice(0, 100)}` });
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json')
    throw refusalOf.unsupported_media_type({ type: type === '' ? 'nothing' : type.slice(0, 100) });
  // Decoding would silently put U+FFFD in the place of what is not UTF-8.
  if (!isUtf8(bytes)) throw refusalOf.invalid_json({ problem: 'it is not UTF-8' });
  if (bytes.length > countedFrom && containersIn(bytes) > mostContainers)
    throw invalid('body', `holds more than ${mostContainers} objects and lists`);
  const text = bytes.toString('utf8');
  const value = parsed(text);
  guard(value, unsoundEscape.test(text));
  return value;
}

function parsed(text: string): unknown {
  try {
    // A byte order mark may be ignored (RFC 8259 §8.1), and some clients write one.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const said = error instanceof Error ? error.message.slice(0, 200) : 'it does not parse';
    throw refusalOf.invalid_json({ problem: text === '' ? 'it is empty' : said });
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

/**
 * Walks without recursion: 100,000 nested arrays parse, and would overflow a recursive walk (measured).
 * @param texts whether texts are looked at too
 */
function guard(root: unknown, texts: boolean): void {
  const open: Visit[] = [];
  const look = (value: unknown, name: string | number, from: Visit | undefined): void => {
    if (isObject(value)) open.push({ value, depth: (from?.depth ?? 0) + 1, name, from });
    else if (texts && typeof value === 'string') mustBeSound(value, () => pathBelow(from, name));
  };
  look(root, '', undefined);
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > deepest) throw invalid(pathOf(next), `is nested deeper than ${deepest} levels`);
    if (Array.isArray(value)) {
      // The names of a list of a million numbers would cost a second.
      for (let index = 0; index < value.length; index += 1) look(value[index], index, next);
      continue;
    }
    for (const name of Object.keys(value)) {
      if (forbiddenNames.has(name)) throw invalid(pathBelow(next, name), 'is not an allowed name');
      if (texts) mustBeSound(name, () => pathBelow(next, name));
      look(Reflect.get(value, name), name, next);
    }
  }
}

/** @throws invalid_input for what no text may hold */
function mustBeSound(text: string, path: () => string): void {
  const found = unsound.exec(text)?.[0];
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
  // The path may be of names that are themselves at fault.
  const sound = (text: string): string => text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');
  const field = path === '' ? 'body' : path.length > 200 ? `${sound(path.slice(0, 200))}…` : sound(path);
  return refusalOf.invalid_input({ field, problem, details: { field } });
}
