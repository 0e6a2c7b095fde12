import { isRecord } from '#core/runtime/json.js';
import { isSchema, propertiesOf, type JsonSchema } from '../schema.js';

type Cutter = (value: unknown, surplus: (path: string) => void, path: string) => unknown;

const cutters = new WeakMap<JsonSchema, Cutter>();

const isOf = (schema: JsonSchema, kind: 'object' | 'array'): boolean =>
  [schema['type']].flat().some((each) => each === kind);

/** The alternatives of an anyOf that need cutting; null and plain values do not. */
function deepAlternatives({ anyOf }: JsonSchema): JsonSchema[] {
  const all = Array.isArray(anyOf) ? anyOf.filter(isSchema) : [];
  return all.filter((each) => isOf(each, 'object') || isOf(each, 'array') || 'anyOf' in each);
}

/**
 * Whether the value matches this alternative: an array for a list, an object with the required names and enum values.
 */
function isMeant(schema: JsonSchema, value: unknown): boolean {
  const alternatives = deepAlternatives(schema);
  if (alternatives.length > 0) return alternatives.some((each) => isMeant(each, value));
  if (Array.isArray(value)) return isOf(schema, 'array');
  if (!isRecord(value)) return false;
  const { required } = schema;
  if (Array.isArray(required) && !required.every((name) => String(name) in value)) return false;
  return Object.entries(propertiesOf(schema)).every(([name, { enum: words }]) => {
    return !Array.isArray(words) || value[name] === undefined || words.includes(value[name]);
  });
}

function cutterOf(schema: JsonSchema): Cutter {
  const known = cutters.get(schema);
  if (known) return known;
  const made = makeCutter(schema);
  cutters.set(schema, made);
  return made;
}

function makeCutter(schema: JsonSchema): Cutter {
  const alternatives = deepAlternatives(schema);
  if (alternatives.length > 0) {
    return (value, surplus, path) => {
      if (!isRecord(value) && !Array.isArray(value)) return value;
      const meant = alternatives.find((each) => isMeant(each, value)) ?? alternatives[0];
      return meant ? cutterOf(meant)(value, surplus, path) : value;
    };
  }
  const { items, additionalProperties } = schema;
  if (isOf(schema, 'array') && isSchema(items)) {
    const inner = cutterOf(items);
    return (value, surplus, path) =>
      Array.isArray(value) ? value.map((each, index) => inner(each, surplus, `${path}[${index}]`)) : value;
  }
  if (!isOf(schema, 'object')) return (value) => value;
  if (isSchema(additionalProperties)) return cutterOfMap(additionalProperties);
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

/** Cuts the values of an object whose names the caller chooses. */
function cutterOfMap(values: JsonSchema): Cutter {
  const inner = cutterOf(values);
  return (value, surplus, path) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each, surplus, `${path}.${name}`)]))
      : value;
}

/**
 * Reduces a reply to the fields of its schema, in the schema's order, so that a `secretHash` of a row is never sent.
 * @param surplus called with the path of each field that was removed
 */
export const cutToSchema = (schema: JsonSchema, value: unknown, surplus: (path: string) => void): unknown =>
  cutterOf(schema)(value, surplus, 'result');
