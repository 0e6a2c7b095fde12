import { componentName, type JsonSchema } from '#core/kernel/schema/schema.js';

/** Input schemas are closed; reply schemas are open, since servers may add fields (docs/interface.md, Versioning 3). */
export type Side = 'input' | 'reply';

/**
 * The name of a shared schema on one side. The same resource has two schemas: a closed one for input, an open one for
 * replies.
 */
export function componentNameOn(side: Side, schema: JsonSchema): string | undefined {
  const name = componentName(schema);
  return name === undefined || side === 'reply' || name.endsWith('Input') ? name : `${name}Input`;
}
