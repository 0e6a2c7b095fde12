import { componentName, isSchema, type JsonSchema } from '#core/kernel/schema/schema.js';

/** The named schemas of the description, each once. */
export type Components = Map<string, unknown>;

/**
 * A schema as the description states it: named parts become `$ref`s and stand once in `components`.
 */
export function described(schema: JsonSchema, components: Components): unknown {
  const name = componentName(schema);
  if (name === undefined) return inlined(schema, components);
  if (!components.has(name)) {
    // Its place is taken before it is walked, so that a schema may hold itself.
    components.set(name, {});
    components.set(name, inlined(schema, components));
  }
  return { $ref: `#/components/schemas/${name}` };
}

function inlined(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => (isSchema(each) ? described(each, components) : each));
  if (!isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (key === 'properties' && isSchema(each)) {
        return [
          key,
          Object.fromEntries(
            Object.entries(each).map(([name, part]) => [name, isSchema(part) ? described(part, components) : part]),
          ),
        ];
      }
      if (key === 'default' || key === 'enum' || key === 'required') return [key, each];
      return [key, isSchema(each) ? described(each, components) : inlined(each, components)];
    }),
  );
}
