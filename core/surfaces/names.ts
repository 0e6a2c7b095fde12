import { componentName, type JsonSchema } from '#core/kernel/schema/schema.js';

/** `email.broadcast.pause` and `invalid_input` as names of types: EmailBroadcastPause, InvalidInput. */
export const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Who writes the values: a caller, held to what is named; or the server, which may name more one day (specification, Versioning 6). */
export type Side = 'input' | 'reply';

/**
 * The name of a shared schema on one side. A resource that callers send is another schema than the one they are answered: the first is
 * closed, the second open.
 */
export function componentNameOn(side: Side, schema: JsonSchema): string | undefined {
  const name = componentName(schema);
  return name === undefined || side === 'reply' || name.endsWith('Input') ? name : `${name}Input`;
}
