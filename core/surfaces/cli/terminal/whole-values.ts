import { isRecord, textAt } from '#core/runtime/json.js';

/** How an object is written that is read as one value: by the names of its fields. */
const writers: ReadonlyMap<string, (value: unknown) => string> = new Map([
  ['amount,currency', (value) => `${textAt(value, 'amount') ?? ''} ${textAt(value, 'currency') ?? ''}`],
  ['unitPrice,upTo', tierText],
]);

/** A tier of a price. */
function tierText(value: unknown): string {
  const [price, upTo] = [textAt(value, 'unitPrice') ?? '', textAt(value, 'upTo')];
  return upTo === null ? price : `${price} up to ${upTo}`;
}

const keyOf = (names: readonly string[]): string => [...names].sort().join();

/** Whether an object with these fields is read as one value, such as an amount and its currency. */
export const isWhole = (names: readonly string[]): boolean => writers.has(keyOf(names));

/** Whether an object with these fields is something with a name: in a table its name is shown. */
export const isNamed = (names: readonly string[]): boolean => keyOf(names) === 'id,name';

/** An object that is read as one value, or is named, as text; undefined for everything else. */
export function wholeText(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const names = Object.keys(value);
  return isNamed(names) ? (textAt(value, 'name') ?? '-') : writers.get(keyOf(names))?.(value);
}
