import { componentName, type JsonSchema } from '#core/kernel/schema/schema.js';

/** PascalCase for type names: `email.broadcast.pause` → EmailBroadcastPause, `invalid_input` → InvalidInput. */
export const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const abbreviations: ReadonlySet<string> = new Set(['sms']);

/** A product's name as a heading: `email` → Email, `sms` → SMS. */
export const productTitle = (product: string): string =>
  abbreviations.has(product) ? product.toUpperCase() : pascal(product);

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

/** The command of an operation: `email.broadcast.pauseAll` is `email broadcast pause-all`. */
export const commandPath = (name: string): string[] => name.split('.').map(kebab);

/** `broadcastId` as a flag or command: `broadcast-id`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Flags with the same meaning on every command. A field with such a name is set with `--input.<field>`. */
export const ownFlags: readonly string[] = [
  'all',
  'attach',
  'base-url',
  'help',
  'idempotency-key',
  'input',
  'json',
  'profile',
  'verbose',
  'version',
  'wait',
  'watch',
  'yes',
];

/** The flag of a field; undefined if the command line uses that name itself. */
export function flagOf(field: string): string | undefined {
  const flag = kebab(field);
  // Commander treats `--no-x` as the negation of `--x`.
  return ownFlags.includes(flag) || flag.startsWith('no-') ? undefined : flag;
}
