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

/** The command of an operation: `email.broadcast.pauseAll` is `email broadcast pause-all`. */
export const commandPath = (name: string): string[] => name.split('.').map(kebab);

/**
 * The MCP tool of an operation. Tool names cannot contain dots: email.broadcast.pause becomes email_broadcast_pause.
 */
export const toolName = (operation: string): string => operation.replaceAll('.', '_');

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
