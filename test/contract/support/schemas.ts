import { componentName, isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { allOperations, plugins } from './operations.js';

/** A property of an object schema: its place, such as `email.send input.attachments[].filename`. */
interface Property {
  readonly place: string;
  readonly name: string;
  readonly schema: JsonSchema;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The schemas directly inside a schema that are not properties. */
const innerOf = (schema: JsonSchema): readonly unknown[] => [
  schema['items'],
  schema['additionalProperties'],
  schema['propertyNames'],
  ...listOf(schema['anyOf']),
];

/** Every property of a schema at any depth; those of a named component are listed once, under its name. */
function collect(schema: unknown, place: string, seen: Set<JsonSchema>, found: Property[]): void {
  if (!isSchema(schema) || seen.has(schema)) return;
  seen.add(schema);
  const here = componentName(schema) ?? place;
  for (const [name, inner] of Object.entries(propertiesOf(schema))) {
    found.push({ place: `${here}.${name}`, name, schema: inner });
    collect(inner, `${here}.${name}`, seen, found);
  }
  for (const inner of innerOf(schema)) collect(inner, `${here}[]`, seen, found);
}

function propertiesIn(schemas: readonly (readonly [place: string, schema: JsonSchema])[]): Property[] {
  const seen = new Set<JsonSchema>();
  const found: Property[] = [];
  for (const [place, schema] of schemas) collect(schema, place, seen, found);
  return found;
}

/** Every property of every input. */
export const inputProperties = propertiesIn(allOperations.map(({ name, input }) => [`${name} input`, input]));

/** Every property of every input, reply and event. */
export const allProperties = propertiesIn([
  ...allOperations.map(({ name, input }) => [`${name} input`, input] as const),
  ...allOperations.map(({ name, output }) => [`${name} reply`, output] as const),
  ...plugins.flatMap(({ events }) =>
    Object.entries(events).map(([name, { data }]) => [`event ${name}`, data] as const),
  ),
]);

/** Whether a schema says what its value means: itself, as a named resource, or in an alternative or its items. */
export function isDescribed(schema: JsonSchema): boolean {
  const { description, items, anyOf } = schema;
  if (typeof description === 'string' && description.trim() !== '') return true;
  return [items, ...listOf(anyOf)].some((inner) => isSchema(inner) && isDescribed(inner));
}

/** Every pattern of a schema, with its own and inner ones. */
export function patternsIn(schema: JsonSchema): string[] {
  const own = typeof schema['pattern'] === 'string' ? [schema['pattern']] : [];
  return [...own, ...innerOf(schema).flatMap((inner) => (isSchema(inner) ? patternsIn(inner) : []))];
}
