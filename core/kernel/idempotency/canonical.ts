import type { Holder } from '#core/runtime/holder.js';
import { isRecord } from '#core/runtime/json.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { isSchema, propertiesOf, type JsonSchema } from '../schema/schema.js';

/**
 * JSON with sorted names, and without the properties that have their default: the same input in another spelling gives
 * the same text.
 */
function canonical(value: unknown, schema: JsonSchema | undefined): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, itemsOf(schema))).join(',')}]`;
  if (isRecord(value)) {
    const fields = fieldsOf(value, schema);
    return `{${fields.map(([name, each, inner]) => `${JSON.stringify(name)}:${canonical(each, inner)}`).join(',')}}`;
  }
  return JSON.stringify(value);
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
  canonical(schema['default'], undefined) === canonical(value, undefined);

function itemsOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  const items: unknown = schema?.['items'];
  return isSchema(items) ? items : undefined;
}

/** The number of list elements that are written in one turn. */
const elementsPerTurn = 500;
const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > elementsPerTurn;

/**
 * The same text for a whole input: a list of many elements is written in several turns, between which other requests
 * are processed.
 * @param holder who the work counts for, see takeTurn
 * @param schema of the input, whose defaults are left out: a later version may add a field with a default, and a call
 *   that was made before is still the same call. Without a schema nothing is left out, as in earlier versions.
 */
export async function canonicalInput(
  input: Readonly<Record<string, unknown>>,
  holder: Holder,
  schema?: JsonSchema,
): Promise<string> {
  if (!Object.values(input).some(isLong)) return canonical(input, schema);
  const fields: string[] = [];
  for (const [name, value, inner] of fieldsOf(input, schema))
    fields.push(
      `${JSON.stringify(name)}:${isLong(value) ? await canonicalList(value, holder, itemsOf(inner)) : canonical(value, inner)}`,
    );
  return `{${fields.join(',')}}`;
}

async function canonicalList(list: readonly unknown[], holder: Holder, items: JsonSchema | undefined): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < list.length; at += elementsPerTurn) {
    pieces.push(
      list
        .slice(at, at + elementsPerTurn)
        .map((each) => canonical(each, items))
        .join(','),
    );
    await takeTurn(holder);
  }
  return `[${pieces.join(',')}]`;
}
