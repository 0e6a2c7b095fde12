import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { componentNameOn, type Side } from '../component-names.js';

/** The named schemas of the description. */
export type Components = Map<string, unknown>;

export const schemaReference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** A schema for the description: named parts become `$ref`s to `components`. */
export function described(schema: JsonSchema, side: Side, components: Components): unknown {
  const name = componentNameOn(side, schema);
  if (name === undefined) return inlined(schema, side, components);
  if (!components.has(name)) {
    // Registered before its content, so that a schema may contain itself.
    components.set(name, {});
    components.set(name, inlined(schema, side, components));
  }
  return schemaReference(name);
}

/** Keywords whose value is a schema or a list of schemas; others are copied. */
const nested = new Set(['items', 'additionalProperties', 'propertyNames', 'anyOf', 'oneOf', 'allOf']);

function inlined(schema: JsonSchema, side: Side, components: Components): unknown {
  const walked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walked);
    return isSchema(value) ? described(value, side, components) : value;
  };
  const keywords = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    // Generated clients must accept fields that a later version adds to a reply.
    if (key === 'additionalProperties' && value === false && side === 'reply') return [];
    if (key === 'properties') {
      const parts = Object.entries(propertiesOf(schema)).map(([name, part]) => [name, walked(part)]);
      return [[key, Object.fromEntries(parts)]];
    }
    return [[key, nested.has(key) ? walked(value) : value]];
  });
  return Object.fromEntries(keywords);
}
