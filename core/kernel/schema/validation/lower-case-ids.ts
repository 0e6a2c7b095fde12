import { isRecord } from '#core/runtime/json.js';
import { formats } from '../formats.js';
import { isSchema, propertiesOf, type JsonSchema } from '../schema.js';

/** Returns the value with its ids in lower case. Objects are changed in place. */
type Lower = (value: unknown) => unknown;

/** By schema; null if values of the schema contain no id, so that they are not walked through. */
const known = new WeakMap<JsonSchema, Lower | null>();

function lowerOf(schema: JsonSchema): Lower | null {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const made = make(schema);
  known.set(schema, made);
  return made;
}

function make(schema: JsonSchema): Lower | null {
  const { format, items, anyOf, additionalProperties: values } = schema;
  if (format === 'uuid')
    return (value) => (typeof value === 'string' && formats['uuid']?.(value) ? value.toLowerCase() : value);
  if (Array.isArray(anyOf)) return inTurn(anyOf.filter(isSchema).map(lowerOf));
  if (isSchema(items)) return ofItems(lowerOf(items));
  if (isSchema(values)) return ofValues(lowerOf(values));
  return ofProperties(Object.entries(propertiesOf(schema)).map(([name, each]) => [name, lowerOf(each)]));
}

/** For alternatives: each changes only ids. */
function inTurn(alternatives: readonly (Lower | null)[]): Lower | null {
  const found = alternatives.filter((each) => each !== null);
  return found.length === 0 ? null : (value) => found.reduce((changed, lower) => lower(changed), value);
}

const ofItems = (lower: Lower | null): Lower | null =>
  lower && ((value) => (Array.isArray(value) ? value.map(lower) : value));

const ofValues = (lower: Lower | null): Lower | null =>
  lower &&
  ((value) => {
    if (isRecord(value)) for (const [name, each] of Object.entries(value)) value[name] = lower(each);
    return value;
  });

function ofProperties(properties: readonly (readonly [string, Lower | null])[]): Lower | null {
  const found = properties.flatMap(([name, lower]) => (lower ? [[name, lower] as const] : []));
  if (found.length === 0) return null;
  return (value) => {
    if (isRecord(value))
      for (const [name, lower] of found) if (Object.hasOwn(value, name)) value[name] = lower(value[name]);
    return value;
  };
}

/**
 * Writes the UUIDs of a valid input in lower case, in place: a UUID is read in either case (RFC 9562, 4), and svc
 * stores, compares and returns it in lower case.
 */
export function lowerCaseIds(schema: JsonSchema, input: unknown): void {
  lowerOf(schema)?.(input);
}
