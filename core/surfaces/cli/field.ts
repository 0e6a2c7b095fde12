import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import type { CliField, CliFields } from './catalogue.js';

/** Deeper than this a field is written as JSON anyway; a schema that holds itself ends here. */
const deepest = 3;

const isText = (value: unknown): value is string => typeof value === 'string';
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

/** An input schema as flags. */
export function fieldsOf(schema: JsonSchema, depth = 0): CliFields {
  const required = textsOf(schema['required']);
  return Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([name, each]): [string, CliField] => [
      name,
      { ...fieldOf(each, depth), ...(required.includes(name) ? { required: true } : {}) },
    ]),
  );
}

function fieldOf(schema: JsonSchema, depth: number): CliField {
  const { description, format } = schema;
  const choices = textsOf(schema['enum']);
  const shape = shapeOf(schema, depth);
  return {
    ...shape,
    ...(isText(description) ? { words: description } : {}),
    ...(isText(format) ? { format } : {}),
    ...(choices.length > 0 ? { choices } : {}),
    ...('default' in schema ? { fallback: schema['default'] } : {}),
  };
}

function shapeOf(schema: JsonSchema, depth: number): CliField {
  const { type, anyOf, items, additionalProperties } = schema;
  if (Array.isArray(anyOf)) return alternativesOf(anyOf.filter(isSchema), depth);
  const kinds = Array.isArray(type) ? textsOf(type) : [type];
  const nullable = kinds.includes('null') ? { nullable: true as const } : {};
  switch (kinds.find((kind) => kind !== 'null')) {
    case 'string':
      return { type: 'text', ...nullable };
    case 'integer':
      return { type: 'integer', ...nullable };
    case 'number':
      return { type: 'number', ...nullable };
    case 'boolean':
      return { type: 'boolean', ...nullable };
    case 'array':
      return { type: 'list', ...nullable, ...(isSchema(items) ? { items: fieldOf(items, depth + 1) } : {}) };
    case 'object':
      if (depth >= deepest) return { type: 'any', ...nullable };
      return isSchema(additionalProperties)
        ? { type: 'map', ...nullable, items: fieldOf(additionalProperties, depth + 1) }
        : { type: 'object', ...nullable, fields: fieldsOf(schema, depth + 1) };
    default:
      return { type: 'any' };
  }
}

/** One shape or null; one thing or a list of them; else anything that JSON can say. */
function alternativesOf(alternatives: readonly JsonSchema[], depth: number): CliField {
  const some = alternatives.filter((each) => each['type'] !== 'null');
  const nullable = some.length < alternatives.length ? { nullable: true as const } : {};
  const [first, second] = some;
  if (first && !second) return { ...fieldOf(first, depth), ...nullable };
  const list = some.find((each) => each['type'] === 'array');
  const one = some.find((each) => each['type'] !== 'array');
  if (some.length === 2 && list && one && isSchema(list['items']) && list['items']['type'] === one['type'])
    return { ...shapeOf(list, depth), ...nullable, orOne: true };
  return { type: 'any', ...nullable };
}
