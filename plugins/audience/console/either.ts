import { propertyValue } from '#core/surfaces/console/kit/index.js';

/*
 * The value of a property that looks like a number, true or false may be stored as such (by an import) or as a text (by
 * a call). People do not know which, so “is”, “is not” and “is one of” match both: 12345 becomes [12345, "12345"].
 */

type Row = Readonly<Record<string, unknown>>;

interface Entered {
  readonly field: string;
  readonly op: string;
  /** A text, or a list of texts, as typed. */
  readonly value: unknown;
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

/** What two nodes are compared by: databases do not keep the order of a JSON object's fields. */
function partsOf(node: Row): { isNegated: boolean; field: unknown; op: unknown; value: unknown } {
  const negated = isRow(node['not']) ? node['not'] : undefined;
  const { field, op, value } = negated ?? node;
  return { isNegated: negated !== undefined, field, op, value };
}

const isSame = (a: Row | undefined, b: Row): boolean =>
  a !== undefined && JSON.stringify(partsOf(a)) === JSON.stringify(partsOf(b));

/** What a typed value may be stored as: one or two values. */
const formsOf = (text: string): readonly (string | number | boolean)[] => {
  const read = propertyValue(text);
  return read === text ? [text] : [read, text];
};

/** The forms of a list's values have the text first, so that “is one of 1” does not read as “is 1”. */
const formsOfAll = (texts: readonly string[]) => texts.flatMap((text) => [...formsOf(text)].reverse());

/** The node of a condition on a property; undefined if its value has one form only. */
export function writeEither({ field, op, value }: Entered): Row | undefined {
  if (!field.startsWith('properties.')) return undefined;
  if (op === 'in' && Array.isArray(value)) return { field, op, value: formsOfAll(value.filter(isText)) };
  if (!isText(value) || (op !== 'eq' && op !== 'neq')) return undefined;
  const forms = formsOf(value);
  if (forms.length === 1) return undefined;
  const matching = { field, op: 'in', value: forms };
  return op === 'eq' ? matching : { not: matching };
}

/** The value of a condition whose comparison changes: “is” and its like take texts, “is more than” takes a number. */
export function inFormFor(op: string, value: unknown): unknown {
  if (typeof value === 'string') return ['gt', 'gte', 'lt', 'lte'].includes(op) ? propertyValue(value) : value;
  const isTyped = typeof value === 'number' || typeof value === 'boolean';
  return isTyped && ['eq', 'neq', 'contains', 'starts_with'].includes(op) ? String(value) : value;
}

/** The condition as it was typed, from what `writeEither` made of it; undefined for any other node. */
export function readEither(node: Row): Entered | undefined {
  const { field, value } = partsOf(node);
  if (!isText(field) || !Array.isArray(value)) return undefined;
  const texts = value.filter(isText);
  const tries = ['eq', 'neq'].map((op): Entered => ({ field, op, value: texts[0] }));
  return [...tries, { field, op: 'in', value: texts }].find((entered) => isSame(writeEither(entered), node));
}
