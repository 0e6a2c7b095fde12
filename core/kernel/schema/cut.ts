import { isSchema, propertiesOf, type JsonSchema } from './schema.js';

type Cutter = (value: unknown, surplus: (path: string) => void, path: string) => unknown;

const cutters = new WeakMap<JsonSchema, Cutter>();

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The alternative of an anyOf that is an object or array; null and plain values need no cutting. */
function deepAlternative(schema: JsonSchema): JsonSchema | undefined {
  const { anyOf } = schema;
  return Array.isArray(anyOf)
    ? anyOf.filter(isSchema).find((each) => each['type'] === 'object' || each['type'] === 'array' || 'anyOf' in each)
    : undefined;
}

function cutterOf(schema: JsonSchema): Cutter {
  const known = cutters.get(schema);
  if (known) return known;
  const made = makeCutter(schema);
  cutters.set(schema, made);
  return made;
}

function makeCutter(schema: JsonSchema): Cutter {
  const alternative = deepAlternative(schema);
  if (alternative) {
    const inner = cutterOf(alternative);
    return (value, surplus, path) => (isRecord(value) || Array.isArray(value) ? inner(value, surplus, path) : value);
  }
  const { items, additionalProperties } = schema;
  if (schema['type'] === 'array' && isSchema(items)) {
    const inner = cutterOf(items);
    return (value, surplus, path) =>
      Array.isArray(value) ? value.map((each, index) => inner(each, surplus, `${path}[${index}]`)) : value;
  }
  if (schema['type'] !== 'object' || isSchema(additionalProperties)) return (value) => value;
  const properties = new Map(Object.entries(propertiesOf(schema)).map(([name, each]) => [name, cutterOf(each)]));
  return (value, surplus, path) => {
    if (!isRecord(value)) return value;
    const kept: Record<string, unknown> = {};
    for (const [name, cut] of properties) {
      const found = value[name];
      if (found !== undefined) kept[name] = cut(found, surplus, `${path}.${name}`);
    }
    for (const name of Object.keys(value)) if (!properties.has(name)) surplus(`${path}.${name}`);
    return kept;
  };
}

/**
 * A reply with exactly the fields of its schema, in the schema's order: a `secretHash` that a row happened to carry does not leave.
 * @param surplus told of each field that was cut
 */
export const cutToSchema = (schema: JsonSchema, value: unknown, surplus: (path: string) => void): unknown =>
  cutterOf(schema)(value, surplus, 'result');
