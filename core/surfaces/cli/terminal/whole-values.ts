import { isRecord, textAt } from '#core/runtime/json.js';

type Writers = ReadonlyMap<string, (value: unknown) => string>;

/** How an object is written that is read as one value: by the names of its fields. */
const writers: Writers = new Map([
  ['amount,currency', (value) => `${textAt(value, 'amount') ?? ''} ${textAt(value, 'currency') ?? ''}`],
  ['unitPrice,upTo', tierText],
]);

/** How an object is written in a table cell. */
const tableWriters: Writers = new Map([
  ['id,name', (value) => textAt(value, 'name') ?? '-'],
  ['id,kind,label', (value) => textAt(value, 'label') || (textAt(value, 'kind') ?? '-')],
  ['id,type', (value) => `${textAt(value, 'type') ?? ''} ${textAt(value, 'id') ?? ''}`],
  ['browser,kind,os', deviceText],
]);

/** A tier of a price. */
function tierText(value: unknown): string {
  const [price, upTo] = [textAt(value, 'unitPrice') ?? '', textAt(value, 'upTo')];
  return upTo === null ? price : `${price} up to ${upTo}`;
}

function deviceText(value: unknown): string {
  const known = ['browser', 'os'].map((name) => textAt(value, name)).filter((text) => text !== null && text !== '');
  return known.length > 0 ? known.join(' on ') : (textAt(value, 'kind') ?? '-');
}

/** The outcomes of a broadcast's messages: `10 (7 sent, 3 failed)`. */
function countsText(counts: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(counts).filter(([name, count]) => name !== 'recipients' && count !== 0);
  const shown = parts.map(([name, count]) => `${String(count)} ${name}`).join(', ');
  return `${String(counts['recipients'])}${shown === '' ? '' : ` (${shown})`}`;
}

const isCounts = (names: readonly string[]): boolean =>
  ['recipients', 'sent', 'failed'].every((name) => names.includes(name));

const keyOf = (names: readonly string[]): string => [...names].sort().join();

/** Whether an object with these fields is read as one value, such as an amount and its currency. */
export const isWhole = (names: readonly string[]): boolean => writers.has(keyOf(names));

/**
 * Whether an object with these fields is one value in a table: something with a name, the actor of an action, or its
 * subject.
 */
export const isWholeInTables = (names: readonly string[]): boolean => tableWriters.has(keyOf(names)) || isCounts(names);

/** An object that is read as one value, at least in a table, as text; undefined for everything else. */
export function wholeText(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const names = Object.keys(value);
  if (isCounts(names)) return countsText(value);
  const key = keyOf(names);
  return (writers.get(key) ?? tableWriters.get(key))?.(value);
}
