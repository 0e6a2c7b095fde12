import type { Holder } from '#core/runtime/holder.js';
import { isRecord } from '#core/runtime/json.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { isSchema, propertiesOf, type JsonSchema } from '../schema/schema.js';

/** An input as canonical JSON: texts of several hundred KiB are apart, so that they can be written in turns. */
export interface CanonicalInput {
  /** The JSON, with `longTextMark` in place of each long text. */
  readonly json: string;
  /** The long texts, in the order of their marks. */
  readonly longTexts: readonly string[];
}

/** JSON never contains this character: it is always escaped. */
export const longTextMark = '\0';
const longTextLength = 256 * 1024;

/**
 * JSON with sorted names, and without the properties that have their default: the same input in another spelling gives
 * the same text.
 * @param longTexts receives the long texts, for which the JSON has marks
 */
function canonical(value: unknown, schema: JsonSchema | undefined, longTexts: string[]): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, itemsOf(schema), longTexts)).join(',')}]`;
  if (isRecord(value)) {
    const fields = fieldsOf(value, schema).map(
      ([name, each, inner]) => `${JSON.stringify(name)}:${canonical(each, inner, longTexts)}`,
    );
    return `{${fields.join(',')}}`;
  }
  if (typeof value !== 'string' || value.length < longTextLength) return JSON.stringify(value);
  longTexts.push(value);
  return longTextMark;
}

type Field = [name: string, value: unknown, schema: JsonSchema | undefined];

function fieldsOf(value: Readonly<Record<string, unknown>>, schema: JsonSchema | undefined): Field[] {
  const properties = schema && propertiesOf(schema);
  return Object.entries(value)
    .map(([name, each]): Field => [name, each, properties?.[name]])
    .filter(([, each, inner]) => !isDefault(each, inner))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

const isDefault = (value: unknown, schema: JsonSchema | undefined): boolean =>
  schema !== undefined &&
  'default' in schema &&
  canonical(schema['default'], undefined, []) === canonical(value, undefined, []);

function itemsOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  const items: unknown = schema?.['items'];
  return isSchema(items) ? items : undefined;
}

/** The number of list elements that are written in one turn. */
const elementsPerTurn = 500;
const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > elementsPerTurn;

/**
 * The canonical JSON of a whole input: a list of many elements is written in several turns, between which other
 * requests are processed.
 * @param holder who the work counts for, see takeTurn
 * @param schema of the input, whose defaults are left out: a later version may add a field with a default, and a call
 *   that was made before is still the same call. Without a schema nothing is left out, as in earlier versions.
 */
export async function canonicalInput(
  input: Readonly<Record<string, unknown>>,
  holder: Holder,
  schema?: JsonSchema,
): Promise<CanonicalInput> {
  const longTexts: string[] = [];
  if (!Object.values(input).some(isLong)) return { json: canonical(input, schema, longTexts), longTexts };
  const fields: string[] = [];
  for (const [name, value, inner] of fieldsOf(input, schema)) {
    const text = isLong(value)
      ? await canonicalList(value, holder, itemsOf(inner), longTexts)
      : canonical(value, inner, longTexts);
    fields.push(`${JSON.stringify(name)}:${text}`);
  }
  return { json: `{${fields.join(',')}}`, longTexts };
}

async function canonicalList(
  list: readonly unknown[],
  holder: Holder,
  items: JsonSchema | undefined,
  longTexts: string[],
): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < list.length; at += elementsPerTurn) {
    pieces.push(
      list
        .slice(at, at + elementsPerTurn)
        .map((each) => canonical(each, items, longTexts))
        .join(','),
    );
    await takeTurn(holder);
  }
  return `[${pieces.join(',')}]`;
}
