import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import type { CliField, CliFields } from './command-catalogue.js';

/** Deeper fields are passed as JSON. Also ends the recursion of a schema that contains itself. */
const maxDepth = 3;

const isText = (value: unknown): value is string => typeof value === 'string';
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

/** Describes the fields of an input schema. */
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
    ...(isText(description) ? { description } : {}),
    ...(isText(format) ? { format } : {}),
    ...(choices.length > 0 ? { choices } : {}),
    ...('default' in schema ? { default: schema['default'] } : {}),
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
      if (depth >= maxDepth) return { type: 'any', ...nullable };
      return isSchema(additionalProperties)
        ? { type: 'map', ...nullable, items: fieldOf(additionalProperties, depth + 1) }
        : { type: 'object', ...nullable, fields: fieldsOf(schema, depth + 1) };
    default:
      return { type: 'any' };
  }
}

/** Handles “X or null” and “X or a list of X”; other unions become `any`. */
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
