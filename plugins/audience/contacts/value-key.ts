import { createHash } from 'node:crypto';
import { formats } from '#core/kernel/schema/formats.js';
import { bytesLiteral, textLiteral, type Literal } from '#core/runtime/database/literal.js';

export type PropertyValue = string | number | boolean;

/** The first byte of an indexed value: its kind. Values of different kinds never compare. */
const kindTags = { boolean: 1, number: 2, dateTime: 3, text: 4 } as const;
export type ValueKind = keyof typeof kindTags;
const textTag = String.fromCharCode(kindTags.text);

/** The kind of a value. A text in RFC 3339 form is a date-time, which compares as a time regardless of its zone. */
export function kindOf(value: PropertyValue): ValueKind {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  return formats['date-time']?.(value) === true ? 'dateTime' : 'text';
}

/**
 * The kind's tag, then the IEEE 754 double with its bits changed so that byte order equals numeric order: all bits of
 * negative numbers inverted, the sign bit of positive ones set.
 */
function sortableDouble(kind: 'number' | 'dateTime', value: number): Buffer {
  // One pooled buffer each: an import creates a million of them.
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = kindTags[kind];
  // -0 and 0 are equal and must have equal keys.
  bytes.writeDoubleBE(value === 0 ? 0 : value, 1);
  const isNegative = ((bytes[1] ?? 0) & 0x80) !== 0;
  bytes[1] = (bytes[1] ?? 0) ^ (isNegative ? 0xff : 0x80);
  if (isNegative) for (let at = 2; at < 9; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}

const booleanKeys = { true: Buffer.of(kindTags.boolean, 1), false: Buffer.of(kindTags.boolean, 0) } as const;

/** The bytes that a value is indexed under. Within one kind their order is the order of the values. */
export function valueKey(value: PropertyValue): Buffer {
  if (typeof value === 'boolean') return value ? booleanKeys.true : booleanKeys.false;
  if (typeof value === 'number') return sortableDouble('number', value);
  if (kindOf(value) === 'dateTime') return sortableDouble('dateTime', Date.parse(value));
  return Buffer.from(`${textTag}${value.normalize('NFC')}`);
}

/** `valueKey` as an SQL literal, without a Buffer for texts: an import creates a million of them. */
export function valueLiteral(value: PropertyValue): Literal {
  if (typeof value === 'string' && kindOf(value) === 'text') return textLiteral(`${textTag}${value.normalize('NFC')}`);
  return bytesLiteral(valueKey(value));
}

/** The range of a kind in the index: `from <= key < to`. */
export const kindRange = (kind: ValueKind): { from: Buffer; to: Buffer } => ({
  from: Buffer.of(kindTags[kind]),
  to: Buffer.of(kindTags[kind] + 1),
});

const nameIds = new Map<string, Buffer>();
const maxCachedNames = 10_000;

/**
 * The 8 bytes that identify a property's key, or an event's name, within an environment. A digest needs no table of
 * names; a collision among a million names has a probability of 3 in 100 million.
 */
export function nameId(environmentId: string, name: string): Buffer {
  const text = `${environmentId}|${name.normalize('NFC')}`;
  const cached = nameIds.get(text);
  if (cached) return cached;
  const id = createHash('sha256').update(text).digest().subarray(0, 8);
  // An import requests this ten times for each row, always for the same few names.
  if (nameIds.size >= maxCachedNames) nameIds.clear();
  nameIds.set(text, id);
  return id;
}
