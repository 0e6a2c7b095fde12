import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { componentNameOn, type Side } from '#core/surfaces/names.js';

/** The named schemas of the description, each once. */
export type Components = Map<string, unknown>;

export const schemaReference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** A schema as the description states it: named parts become `$ref`s and stand once in `components`. */
export function described(schema: JsonSchema, side: Side, components: Components): unknown {
  const name = componentNameOn(side, schema);
  if (name === undefined) return inlined(schema, side, components);
  if (!components.has(name)) {
    // Its place is taken before it is walked, so that a schema may hold itself.
    components.set(name, {});
    components.set(name, inlined(schema, side, components));
  }
  return schemaReference(name);
}

/** Keywords whose value is one schema, or a list of them; all others are stated as they are. */
const inner = new Set(['items', 'additionalProperties', 'propertyNames', 'anyOf', 'oneOf', 'allOf']);

function inlined(schema: JsonSchema, side: Side, components: Components): unknown {
  const walked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walked);
    return isSchema(value) ? described(value, side, components) : value;
  };
  const keywords = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    // Clients made of this description must not choke on a field that a later version adds to a reply.
    if (key === 'additionalProperties' && value === false && side === 'reply') return [];
    if (key === 'properties') {
      const parts = Object.entries(propertiesOf(schema)).map(([name, part]) => [name, walked(part)]);
      return [[key, Object.fromEntries(parts)]];
    }
    return [[key, inner.has(key) ? walked(value) : value]];
  });
  return Object.fromEntries(keywords);
}
