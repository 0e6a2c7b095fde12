import { invalidField } from '#core/kernel/errors/invalid-field.js';

/** Names that would change an object's prototype when copied. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);
const maxDepth = 32;

/**
 * In valid UTF-8, lone surrogates and NUL can only come from escapes. The database would store a lone surrogate as
 * U+FFFD, so the answer would differ from the stored value (RFC 8259 §8.2).
 */
export const invalidEscape = /\\u(?:[dD][89a-fA-F]|0000)/;

/**
 * Whole numbers with 16 or more digits may be beyond 2^53, where JSON.parse rounds: 9007199254740993 is read as
 * 9007199254740992. A number with an exponent, such as 1e300, is meant as a double.
 */
export const longNumber = /(?<![\d.])\d{16}/;

/** What a body's text may hold. */
export interface Suspects {
  /** A text or name may hold a lone surrogate or NUL. */
  readonly texts: boolean;
  /** A number may have been rounded. */
  readonly longNumbers: boolean;
  /** Long texts that were parsed apart, by the marks that replace them. */
  readonly longTexts?: ReadonlyMap<unknown, string>;
}

/** A value with its parent. The path is only computed for an error. */
interface Visit {
  value: object;
  depth: number;
  name: string | number;
  from: Visit | undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Values that are checked in one turn. */
const valuesPerTurn = 10_000;

/**
 * Checks names, depth, numbers and texts, and puts long texts in the places of their marks. It does not recurse:
 * 100,000 nested arrays parse, and would overflow the stack (measured).
 * @param suspects what the body's text may hold, found while it was parsed, and its long texts
 * @returns steps of some milliseconds, for the caller to give others a turn between them
 * @throws invalid_input naming the field
 */
export function* guardSteps(root: unknown, { texts, longNumbers, longTexts }: Suspects): Generator<undefined> {
  const open: Visit[] = [];
  const look = (found: unknown, name: string | number, from: Visit | undefined): void => {
    const long = longTexts?.get(found);
    if (long !== undefined && from) Reflect.set(from.value, name, long);
    const value = long ?? found;
    if (isObject(value)) open.push({ value, depth: (from?.depth ?? 0) + 1, name, from });
    else if (texts && typeof value === 'string') assertValidText(value, () => pathBelow(from, name));
    // 1e400 is read as infinity, which JSON cannot write: it would be stored as null.
    else if (value === Infinity || value === -Infinity)
      throw invalid(pathBelow(from, name), 'is a number larger than a double can hold');
    else if (longNumbers && typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
      throw invalid(
        pathBelow(from, name),
        'is a number beyond 9007199254740991 (2^53 - 1), which would be rounded: send it as a text',
      );
  };
  let visited = 0;
  look(root, '', undefined);
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > maxDepth) throw invalid(pathOf(next), `is nested deeper than ${maxDepth} levels`);
    if (Array.isArray(value)) {
      // Object.keys of an array with a million numbers would take a second.
      for (let index = 0; index < value.length; index += 1) {
        look(value[index], index, next);
        if (++visited % valuesPerTurn === 0) yield;
      }
      continue;
    }
    for (const name of Object.keys(value)) {
      if (forbiddenNames.has(name)) throw invalid(pathBelow(next, name), 'is not an allowed name');
      if (texts) assertValidText(name, () => pathBelow(next, name));
      look(Reflect.get(value, name), name, next);
      if (++visited % valuesPerTurn === 0) yield;
    }
  }
}

/** @throws invalid_input for a lone surrogate or NUL */
function assertValidText(text: string, path: () => string): void {
  if (text.includes('\0')) throw invalid(path(), 'holds the character U+0000');
  if (!text.isWellFormed()) throw invalid(path(), 'holds half a character: a surrogate without its pair');
}

const pathBelow = (from: Visit | undefined, name: string | number): string =>
  pathOf({ value: {}, depth: 0, name, from });

function pathOf(visit: Visit): string {
  if (!visit.from) return '';
  const before = pathOf(visit.from);
  if (typeof visit.name === 'number') return `${before}[${visit.name}]`;
  return before === '' ? visit.name : `${before}.${visit.name}`;
}

/** The refusal of the value at `path`; empty for the whole body. */
export function invalid(path: string, problem: string): Error {
  // The names in the path may themselves be invalid.
  const replaceInvalid = (text: string): string => text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');
  const field =
    path === '' ? 'body' : path.length > 200 ? `${replaceInvalid(path.slice(0, 200))}…` : replaceInvalid(path);
  return invalidField(field, problem);
}
