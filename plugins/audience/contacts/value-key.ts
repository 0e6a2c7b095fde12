import { createHash } from 'node:crypto';
import { formats } from '#core/kernel/schema/formats.js';
import { bytesLiteral, textLiteral, type Literal } from '#core/runtime/database/literal.js';

export type PropertyValue = string | number | boolean;

/** Kinds of values, in the order in which they stand in the index. Values of different kinds never compare. */
const tags = { boolean: 1, number: 2, dateTime: 3, text: 4 } as const;
export type ValueKind = keyof typeof tags;
/** As a character, so that tag and text are encoded at once. */
const textTag = String.fromCharCode(tags.text);

/** A text of the form of RFC 3339 is a moment: it compares as time, in whatever zone it was written. */
export function kindOf(value: PropertyValue): ValueKind {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  return formats['date-time']?.(value) === true ? 'dateTime' : 'text';
}

/**
 * A kind's tag, then IEEE 754 in an order that bytes compare in: negative numbers turned around, positive ones above them. One buffer of
 * the pool each: an import makes a million of them.
 */
function sortable(kind: 'number' | 'dateTime', value: number): Buffer {
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = tags[kind];
  bytes.writeDoubleBE(value === 0 ? 0 : value, 1);
  const flip = (bytes[1] ?? 0) & 0x80 ? 0xff : 0x80;
  bytes[1] = (bytes[1] ?? 0) ^ flip;
  if (flip === 0xff) for (let at = 2; at < 9; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}

const booleans = { true: Buffer.of(tags.boolean, 1), false: Buffer.of(tags.boolean, 0) } as const;

/** The bytes that a value is indexed under: within one kind their order is the values' order. */
export function valueKey(value: PropertyValue): Buffer {
  if (typeof value === 'boolean') return value ? booleans.true : booleans.false;
  if (typeof value === 'number') return sortable('number', value);
  if (kindOf(value) === 'dateTime') return sortable('dateTime', Date.parse(value));
  return Buffer.from(`${textTag}${value.normalize('NFC')}`);
}

/** The same as SQL writes it, for the many that an import writes. */
export function valueLiteral(value: PropertyValue): Literal {
  if (typeof value === 'string' && kindOf(value) === 'text') return textLiteral(`${textTag}${value.normalize('NFC')}`);
  return bytesLiteral(valueKey(value));
}

/** Where a kind of values begins and ends in the index: `from <= value < to`. */
export const kindRange = (kind: ValueKind): { from: Buffer; to: Buffer } => ({
  from: Buffer.of(tags[kind]),
  to: Buffer.of(tags[kind] + 1),
});

/**
 * The 8 bytes that stand for a property's key, or an event's name, of one environment. A digest instead of a table of names: nothing to
 * look up, and a collision among a million names has a chance of 3 in 100 million.
 */
export function nameId(environmentId: string, name: string): Buffer {
  const text = `${environmentId}|${name.normalize('NFC')}`;
  const known = nameIds.get(text);
  if (known) return known;
  const made = createHash('sha256').update(text).digest().subarray(0, 8);
  // An import asks ten times for each row, and always for the same few names.
  if (nameIds.size >= mostNames) nameIds.clear();
  nameIds.set(text, made);
  return made;
}

const nameIds = new Map<string, Buffer>();
const mostNames = 10_000;
