import { createHash } from 'node:crypto';
import { formats } from '#core/kernel/schema/formats.js';

export type PropertyValue = string | number | boolean;

/** Kinds of values, in the order in which they stand in the index. Values of different kinds never compare. */
const tags = { boolean: 1, number: 2, dateTime: 3, text: 4 } as const;
export type ValueKind = keyof typeof tags;

/** A text of the form of RFC 3339 is a moment: it compares as time, in whatever zone it was written. */
export function kindOf(value: PropertyValue): ValueKind {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  return formats['date-time']?.(value) === true ? 'dateTime' : 'text';
}

/** IEEE 754 in an order that bytes compare in: negative numbers turned around, positive ones above them. */
function sortable(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const flip = (bytes[0] ?? 0) & 0x80 ? 0xff : 0x80;
  bytes[0] = (bytes[0] ?? 0) ^ flip;
  if (flip === 0xff) for (let at = 1; at < 8; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}

/** The bytes that a value is indexed under: within one kind their order is the values' order. */
export function valueKey(value: PropertyValue): Buffer {
  const kind = kindOf(value);
  const tag = Buffer.of(tags[kind]);
  if (typeof value === 'boolean') return Buffer.concat([tag, Buffer.of(value ? 1 : 0)]);
  if (typeof value === 'number') return Buffer.concat([tag, sortable(value)]);
  return Buffer.concat([tag, kind === 'dateTime' ? sortable(Date.parse(value)) : Buffer.from(value.normalize('NFC'))]);
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
export const nameId = (environmentId: string, name: string): Buffer =>
  createHash('sha256')
    .update(`${environmentId}|${name.normalize('NFC')}`)
    .digest()
    .subarray(0, 8);
